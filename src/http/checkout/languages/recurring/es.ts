import type { RecurringTexts } from './en.ts';

export const SPANISH_RECURRING: RecurringTexts = {
  banner: { strong: 'Prueba', rest: 'no se pide dinero real' },
  back: 'Volver',
  nextHeading: 'Qué pasa después',
  labels: {
    description: 'Concepto',
    often: 'Frecuencia',
    amount: 'Importe',
    start: 'Comienza',
    next: 'Próxima solicitud',
    count: 'Número de pagos',
    period: 'Pago',
    due: 'Vence',
    wasDue: 'Venció',
  },
  often: { weekly: 'cada semana', monthly: 'cada mes', quarterly: 'cada tres meses', yearly: 'cada año' },
  startsAtOnce: 'En cuanto usted acepte',
  untilEnded: 'Hasta que usted o la tienda les ponga fin',
  confirm: {
    ask: (often) => ({
      heading: '¿Acepta usted estas solicitudes?',
      sentences: [`Esta tienda quiere pedirle un pago ${often}. Sin su consentimiento no pasa nada.`],
    }),
    firstAtOnce: 'Recibirá la primera solicitud por correo en cuanto acepte, y otra cada vez que venza un pago.',
    firstOnItsDay: 'Recibirá una solicitud por correo cada vez que venza un pago.',
    after: [
      'Nunca se retira nada de su cartera: cada pago lo hace usted.',
      'Un enlace en cada correo termina las solicitudes cuando usted quiera.',
    ],
    button: 'Aceptar estas solicitudes',
    otherwise: '¿No lo esperaba? Entonces no haga nada: sin su consentimiento no se pide ningún pago.',
  },
  stop: {
    ask: {
      heading: '¿Detener estas solicitudes?',
      sentences: ['Puede terminarlas en cualquier momento, sin dar ningún motivo.'],
    },
    decline: {
      heading: '¿Detener estas solicitudes?',
      sentences: ['No las ha aceptado. Deténgalas y no recibirá más correos sobre esto.'],
    },
    meaningHeading: 'Qué significa detenerlas',
    meaning: [
      'Ya no se pide nada ni se envían recordatorios.',
      'Un pago que ya ha enviado sigue contando.',
      'Esto termina las solicitudes, no lo que haya acordado con la tienda. Avise también a la tienda.',
    ],
    button: 'Detener estas solicitudes',
  },
  pay: {
    due: (amount) => ({
      heading: `Pagar ${amount}`,
      sentences: ['Las monedas las envía usted: no se retira nada de su cartera.'],
    }),
    late: (amount) => ({
      heading: `Pagar ${amount}`,
      sentences: ['Este pago va con retraso, pero todavía puede hacerlo.'],
    }),
    open: (amount) => ({
      heading: `Pagar ${amount}`,
      sentences: ['Ya ha abierto este pago, y su precio en monedas queda fijado por un tiempo.'],
    }),
    inProgress: {
      heading: 'Su pago está en camino',
      sentences: ['Ya se han visto monedas para este pago. Consúltelo antes de enviar nada más.'],
    },
    paid: { heading: 'Pagado. Gracias', sentences: ['Este pago está completo; no hay nada más que hacer.'] },
    nothingToPay: 'Aquí ya no hay nada que pagar. Un pago que ya ha enviado sigue contando.',
    choose: '¿Con qué moneda quiere pagar?',
    fixed: 'El importe en monedas se calcula en el paso siguiente.',
    goToPay: 'Continuar al pago',
    now: 'Pagar ahora',
    payWith: (coin) => `Pagar con ${coin}`,
    continuePayment: 'Seguir con el pago',
    another: 'Pagar con otra moneda',
    viewPayment: 'Ver el pago',
    receipt: 'Ver el recibo',
    token: (crypto, network) => `${crypto} en ${network}`,
  },
  statuses: {
    active: { heading: 'Confirmado', sentences: ['Usted ha aceptado estas solicitudes.'] },
    paused: {
      heading: 'En pausa por la tienda',
      sentences: ['Usted ha aceptado estas solicitudes. No se pide nada nuevo hasta que la tienda las reanude.'],
    },
    cancelled: { heading: 'La tienda ha terminado estas solicitudes', sentences: ['Ya no se pide nada.'] },
    stopped_by_customer: {
      heading: 'Estas solicitudes están detenidas',
      sentences: [
        'Ya no se pide nada. Un pago que ya ha enviado sigue contando.',
        '¿Ha cambiado de opinión? Pida a la tienda una solicitud nueva.',
      ],
    },
    bounced: {
      heading: 'Estas solicitudes han terminado',
      sentences: [
        'No se le pudo entregar el correo, así que ya no se pide nada.',
        '¿Quiere que continúen? Dé a la tienda una dirección que funcione.',
      ],
    },
    expired_unconfirmed: {
      heading: 'El plazo para aceptar ha pasado',
      sentences: ['No se pedirá nada. ¿Quiere estas solicitudes de todos modos? Pida a la tienda que envíe una nueva.'],
    },
  },
  finished: {
    heading: 'Estas solicitudes están completas',
    sentences: ['Ya se ha pedido el último pago. No habrá ninguno más.'],
  },
  following: {
    none: 'La última solicitud ya se le ha enviado por correo.',
    first: (day) => `La primera solicitud llega por correo el ${day}.`,
    next: (day) => `La próxima solicitud llega por correo el ${day}.`,
    firstIsDue: 'Su primer pago vence ahora. Le hemos enviado el enlace por correo.',
    isDue: 'Hay un pago que vence ahora. Le hemos enviado el enlace por correo.',
  },
  problems: {
    noSuchLink: {
      heading: 'Ese enlace no existe',
      sentences: [
        'Compruebe que la dirección esté completa: algunos programas de correo cortan las largas. Si no, abra de nuevo el enlace del correo o pregunte a la tienda.',
      ],
    },
    unavailable: {
      heading: 'No disponible por ahora',
      sentences: ['En este momento no es posible, y no se ha cambiado nada. Inténtelo de nuevo enseguida.'],
    },
    triesAgain: 'Esta página lo intenta de nuevo por sí sola.',
    broken: {
      heading: 'Algo ha fallado',
      sentences: ['Es culpa nuestra, no suya. Inténtelo de nuevo en un momento.'],
    },
    notNow: {
      heading: 'Eso ya no es posible',
      sentences: ['Algo ha cambiado entretanto. Vuelva atrás para ver cómo está.'],
    },
    chooseCoin: {
      heading: 'Elija otra moneda',
      sentences: ['Este pago no se puede hacer con esa moneda. Vuelva atrás y elija una de las que se ofrecen.'],
    },
    shopCannot: {
      heading: 'Esta tienda no puede aceptar pagos en este momento',
      sentences: [
        'No se pudo abrir ningún pago. Póngase en contacto con la tienda o vuelva más tarde: el enlace sigue siendo válido.',
      ],
    },
    notUnderstood: {
      heading: 'Eso no es posible',
      sentences: ['No se entendió la petición. Abra de nuevo el enlace del correo.'],
    },
  },
};
