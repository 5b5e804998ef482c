import type { Texts } from './en.ts';
import { SPANISH_LINKS } from './link-texts.ts';
import { SPANISH_RECEIPT } from './receipt-texts.ts';
import { SPANISH_RECURRING } from './recurring/es.ts';
import { SPANISH_REJECTED_LINK } from './rejected-link-texts.ts';

export const SPANISH: Texts = {
  language: 'Idioma',
  banner: { strong: 'Pago de prueba', rest: 'sin dinero real' },
  connectionLost: 'Se ha perdido la conexión. Intentándolo de nuevo…',
  otherCoin: 'Elegir otra moneda',
  backToShop: 'Volver a la tienda',
  newQuote: 'Obtener un precio nuevo',
  print: 'Imprimir el recibo',
  support: '¿Preguntas? Contacte con la tienda:',
  contact: {
    heading: 'Contactar con la tienda',
    unknown: 'Busque los datos de contacto en la web de la tienda o en los correos que le haya enviado.',
    quote: 'Cuando escriba a la tienda, indique este número de pago.',
    refund: (coin, network) =>
      `Para un reembolso, añada una dirección de su propia cartera para ${coin} en ${network}. El reembolso lo hace la tienda; nada se devuelve automáticamente.`,
  },
  copy: {
    button: 'Copiar',
    done: 'Copiado',
    amount: 'Copiar el importe',
    address: 'Copiar la dirección',
    transactionId: 'Copiar el identificador de la transacción',
    paymentNumber: 'Copiar el número de pago',
  },
  timer: { left: 'Tiempo restante', warning: 'Quedan menos de cinco minutos para pagar' },
  pay: {
    amount: 'Importe',
    stillToPay: 'Falta por pagar',
    address: 'Dirección',
    code: 'Código QR',
    fullCode: 'Dirección e importe',
    addressCode: 'Solo la dirección',
    fullCodeLabel: (amount) => `Código QR con la dirección y el importe de ${amount}`,
    addressCodeLabel: (address) => `Código QR con la dirección ${address}`,
    amountNotInCode: (amount) => `El importe no está en este código: escriba usted mismo ${amount}.`,
    openWallet: 'Abrir la cartera',
    exchangeFee: (amount) =>
      `¿Envía desde una casa de cambio? Su comisión va aparte: aquí deben llegar exactamente ${amount}.`,
  },
  network: {
    only: (coin, network) => `Solo ${coin} en ${network}.`,
    lost: 'Lo que se envíe por otra red se pierde.',
    kinds: { mainnet: null, testnet: 'red de pruebas', regtest: 'red de pruebas privada' },
  },
  screens: {
    arrived: ({ paid, due }) => `Han llegado ${paid} de ${due}.`,
    replaced: 'Una transacción anterior fue sustituida por otra y ya no cuenta.',
    gone: (amount) =>
      `Se vio un pago de ${amount}, pero ya no está en la red. Compruebe su cartera antes de volver a pagar.`,
    waiting: (price, coin) => ({
      heading: `Pagar ${price}`,
      sentences: [
        `Envíe exactamente el importe en ${coin} que figura abajo: escanee el código con la app de su cartera, o copie en ella el importe y la dirección.`,
      ],
    }),
    partial: {
      heading: (missing) => `Todavía faltan ${missing}`,
      sendRest: (missing) => `Envíe exactamente ${missing} más a la misma dirección.`,
    },
    checking: {
      heading: 'Comprobando la red',
      cannotSee: (chain) => `En este momento no vemos los pagos nuevos en la red ${chain}.`,
      youCanStillPay:
        'Todavía puede pagar: lo que envíe a tiempo se encontrará y contará. No pague dos veces; esta página se actualiza sola.',
      windowIsOver: [
        'El plazo para pagar ha terminado. Estamos comprobando por última vez si su pago ha llegado.',
        'Si ha pagado a tiempo, su pago cuenta. No envíe nada ahora.',
      ],
    },
    seen: (paid) => ({
      heading: 'Su pago está en camino',
      sentences: [
        `${paid} se han visto y la red los está confirmando. Puede salir de esta página: la tienda recibirá el aviso automáticamente.`,
      ],
    }),
    blind:
      'En este momento no vemos las confirmaciones más recientes. No se pierde nada; esta página se pondrá al día sola.',
    completed: {
      heading: 'Pagado',
      confirmed: (paid) => `${paid} confirmados. Gracias.`,
      acceptedByShop: 'La tienda ha aceptado este pago.',
      tooMuch: (excess) => `Han llegado ${excess} de más. Póngase en contacto con la tienda para recuperarlos.`,
      tooMuchSettled: (excess) => `Han llegado ${excess} de más. La tienda lo ha marcado como resuelto.`,
    },
    lostHeading: { all: 'Este pago ya no está en la red', part: 'Parte de este pago ya no está en la red' },
    lost: 'La tienda no tiene estos fondos. Mire en su cartera si han vuelto, y póngase en contacto con la tienda.',
    lostSettled: 'La tienda ya lo ha resuelto.',
    lostUnpaid:
      'Si su cartera muestra el pago como cancelado o sustituido, póngase en contacto con la tienda antes de volver a pagar.',
    mayReturn: {
      lost: 'Si los fondos llegan de nuevo, esta página lo mostrará.',
      lostUnpaid:
        'Los fondos se vieron, pero ya no son visibles en la red. Pueden volver; esta página se actualiza automáticamente.',
      failedGone: 'Si los fondos llegan a pesar de todo, se encontrarán, y la tienda recibirá el aviso.',
    },
    expired: {
      heading: 'Este pago ha caducado',
      sentences: [
        'No envíe nada ahora: el precio ya no es válido.',
        '¿Ya lo ha enviado? Su pago se encontrará, y la tienda recibirá el aviso.',
      ],
      paid: ['No envíe nada más.', 'Pregunte a la tienda qué pasa con lo que ha llegado.'],
      paidDismissed: [
        'La tienda no ha aceptado el pago tardío. No envíe nada más.',
        'Pregunte a la tienda qué pasa con lo que ha llegado.',
      ],
      paidSettled: ['No envíe nada más.', 'La tienda ha marcado lo que ha llegado como resuelto.'],
    },
    late: (paid) => ({
      heading: 'Su pago ha llegado tarde',
      sentences: [
        `${paid} han llegado después de terminar el plazo para pagar. La tienda ya lo sabe y decide si acepta el pago o lo devuelve.`,
        'No envíe nada más.',
      ],
    }),
    confirmedLate: (paid) => ({
      heading: 'Su pago se ha confirmado tarde',
      sentences: [
        `${paid} han llegado a tiempo, pero la red los confirmó cuando el pago ya había fallado. La tienda ya lo sabe y decide si acepta el pago o lo devuelve.`,
        'No envíe nada más.',
      ],
    }),
    mixedLate: (paid) => ({
      heading: 'Su pago se ha retrasado',
      sentences: [
        `Una parte de ${paid} ha llegado después de terminar el plazo para pagar. El resto ha llegado a tiempo, pero la red lo confirmó cuando el pago ya había fallado. La tienda ya lo sabe y decide si acepta el pago o lo devuelve.`,
        'No envíe nada más.',
      ],
    }),
    reviewing: {
      heading: 'La tienda está revisando este pago',
      sentences: [
        'Hubo un movimiento en la dirección de pago que no corresponde a ningún pago conocido. Se ha pedido a la tienda que lo examine.',
        'Mientras tanto, el plazo está detenido. No envíe nada más.',
      ],
    },
    failed: {
      heading: 'Este pago ha fallado',
      sentences: [
        'La red no ha confirmado el pago a tiempo. Póngase en contacto con la tienda antes de volver a pagar.',
        'Si se confirma a pesar de todo, la tienda recibirá el aviso.',
      ],
    },
    failedGone: {
      heading: 'Este pago ha fallado',
      sentences: [
        'Los fondos de este pago ya no están en la red. Póngase en contacto con la tienda antes de volver a pagar.',
      ],
    },
    failedLater: {
      heading: 'Este pago ha fallado',
      sentences: [
        'Los fondos enviados a tiempo ya no están en la red. Póngase en contacto con la tienda antes de volver a pagar.',
        'Los fondos que llegaron más tarde no cuentan como pago.',
      ],
    },
    failedRejected: {
      heading: 'Este pago ha fallado',
      sentences: ['La tienda ha rechazado este pago. Póngase en contacto con la tienda antes de volver a pagar.'],
    },
  },
  countOf: (count, total) => `${count} de ${total}`,
  confirmations: { one: 'confirmación', many: 'confirmaciones', other: 'confirmaciones' },
  labels: {
    heading: 'Detalles',
    order: 'Pedido',
    price: 'Precio',
    amountDue: 'Importe debido',
    rate: 'Cambio fijado',
    paidSoFar: 'Pagado hasta ahora',
    paid: 'Pagado',
    received: 'Recibido',
    receivedUnconfirmed: 'Recibido, sin confirmar',
    stillDue: 'Pendiente',
    paidTooMuch: 'Pagado de más',
    network: 'Red',
    confirmations: 'Confirmaciones',
    created: 'Creado',
    payUntil: 'Pagar antes de',
    wasOpenUntil: 'Abierto hasta',
    completed: 'Completado',
    paymentNumber: 'Número de pago',
  },
  paymentsHeading: 'Pagos',
  explorer: (name) => `Ver en ${name}`,
  statuses: {
    detected: 'visto, aún sin confirmar',
    confirming: 'confirmándose',
    confirmed: 'confirmado',
    replaced: 'sustituido, no cuenta',
    gone: 'ya no está en la red',
  },
  simulate: {
    heading: 'Simular',
    note: 'Solo los pagos de prueba tienen estos botones.',
    actions: {
      pay: 'Pagar lo debido',
      pay_partial: 'Pagar una parte',
      overpay: 'Pagar de más',
      confirm: 'Confirmar',
      double_spend: 'Gastar dos veces',
      reorg: 'Reorganizar la cadena',
      advance_clock: 'Dejar pasar el plazo',
      pay_late: 'Pagar tarde',
      drop_balance: 'Reducir el saldo',
    },
  },
  problems: {
    notFound: {
      heading: 'Este pago no existe',
      sentences: ['Compruebe que el enlace esté completo, o abra de nuevo el pago desde la tienda.'],
    },
    unavailable: {
      heading: 'No disponible por el momento',
      sentences: [
        'Esta página no se puede mostrar en este momento. Los pagos no se ven afectados. Inténtelo de nuevo en un momento.',
      ],
    },
    broken: {
      heading: 'Algo ha ido mal',
      sentences: ['Es culpa nuestra, no suya, y los pagos no se ven afectados. Inténtelo de nuevo en un momento.'],
    },
    notNow: {
      heading: 'No es posible',
      sentences: ['El estado actual del pago no lo permite. Vuelva atrás para ver cómo está.'],
    },
    notUnderstood: {
      heading: 'No es posible',
      sentences: ['No se ha podido leer lo enviado. Vuelva atrás e inténtelo de nuevo.'],
    },
    backToPayment: 'Volver al pago',
  },
  payProblems: {
    amount: {
      heading: 'Este importe no se puede pagar',
      sentences: ['No ha pagado nada. Vuelva atrás y elija otro importe.'],
    },
    coin: {
      heading: 'Aquí no se puede pagar con esta moneda',
      sentences: ['No ha pagado nada. Vuelva atrás y elija otra moneda.'],
    },
    paymentOpen: {
      heading: 'Tiene otro pago abierto',
      sentences: ['Termínelo primero, o vuelva cuando haya acabado su plazo.'],
    },
    tooMany: {
      heading: 'Demasiadas solicitudes',
      sentences: ['Han llegado demasiadas solicitudes desde su conexión a internet. Espere un momento.'],
    },
    tooManyOpen: {
      heading: 'Esta tienda tiene demasiados pagos abiertos',
      sentences: [
        'No ha pagado nada. Demasiados pagos a esta tienda siguen pendientes. Inténtelo de nuevo más tarde, cuando algunos se hayan pagado o hayan caducado.',
      ],
    },
    tooManyOpenOfNetwork: {
      heading: 'Hay demasiados pagos abiertos desde su conexión a internet',
      sentences: [
        'No ha pagado nada. Termine un pago abierto, o vuelva cuando algunos hayan caducado. Si comparte la conexión con otras personas, pruebe otra, como los datos móviles.',
      ],
    },
    unavailable: {
      heading: 'No disponible por el momento',
      sentences: ['La página de pago no se puede abrir en este momento. No ha pagado nada.'],
    },
    shopCannot: {
      heading: 'Esta tienda no puede aceptar pagos en este momento',
      sentences: [
        'No ha pagado nada, y aquí no hay nada que pagar.',
        'Póngase en contacto con la tienda, o elija otra forma de pago.',
      ],
    },
    wrongAddress: {
      heading: 'Esta página de pago no se puede abrir',
      sentences: ['El enlace que ha llevado aquí no es correcto. No ha pagado nada. Vuelva atrás y avise a la tienda.'],
    },
    triesAgain: 'Esta página lo intenta de nuevo sola.',
    goToOpenPayment: 'Ir al pago abierto',
    forShop: { heading: 'Para la tienda', code: 'Código de error', request: 'Solicitud' },
  },
  recurring: SPANISH_RECURRING,
  links: SPANISH_LINKS,
  rejectedLink: SPANISH_REJECTED_LINK,
  receipt: SPANISH_RECEIPT,
};
