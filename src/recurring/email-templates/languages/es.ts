import { datesIn } from './dates.ts';
import type { EmailTexts } from './en.ts';

export const SPANISH: EmailTexts = {
  language: { code: 'es', greet: () => 'Hola:' },
  every: { weekly: 'cada semana', monthly: 'cada mes', quarterly: 'cada tres meses', yearly: 'cada año' },
  ...datesIn(
    'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
    (day, month, year) => `${day} de ${month} de ${year}`,
  ),
  testSubject: (subject) => `[Prueba] ${subject}`,
  testNotice: 'Esto es una prueba. No envíe monedas reales.',
  names: {
    merchant: 'De',
    description: 'Concepto',
    reference: 'Referencia',
    amount: 'Importe',
    interval: 'Frecuencia',
    firstRequest: 'Primera solicitud',
    count: 'Cantidad',
    due: 'Vencimiento',
    period: 'Pago',
  },
  confirmation: {
    subject: ({ merchant, amount, every }) => `Confirme, por favor: ${amount} ${every} a ${merchant}`,
    opening: ({ merchant, amount, every }) =>
      `${merchant} quiere pedirle ${amount} ${every}. Sin su consentimiento no ocurre nada.`,
    fromConfirmation: 'en cuanto usted confirme',
    count: (maxPeriods, { merchant }) =>
      maxPeriods === null
        ? `sin número fijo: hasta que usted o ${merchant} lo cancelen`
        : `${maxPeriods === 1 ? '1 solicitud' : `${maxPeriods} solicitudes como máximo`}; después termina automáticamente`,
    nothingMovesByItself:
      'No se cobra nada automáticamente. Cada vez recibirá un correo con un enlace y pagará usted mismo, con su propia cartera. Nadie puede retirar nada de ella. Puede cancelarlo en cualquier momento.',
    confirm: 'Ver y confirmar',
    silenceIsNo: (expires) =>
      `Puede confirmar hasta el ${expires}. Si no lo desea, no haga nada: se considerará un no y terminará automáticamente.`,
    why: ({ merchant }) => `Recibe este correo porque ${merchant} nos ha dado su dirección.`,
    decline: 'Rechazar ahora y no recibir más correos sobre esto',
  },
  request: {
    subject: ({ merchant, amount, due, reminder }) => {
      if (reminder === 'none') return `Solicitud de pago: ${amount} a ${merchant}, vence el ${due}`;
      return `${reminder === 'last' ? 'Último recordatorio' : 'Recordatorio'}: ${amount} a ${merchant}, vence el ${due}`;
    },
    opening: ({ merchant, amount, every, due, reminder }) => {
      if (reminder === 'none') return `Ha vencido su pago de ${amount} a ${merchant}, que aceptó hacer ${every}.`;
      return reminder === 'last'
        ? `Este es el último recordatorio: su pago de ${amount} a ${merchant}, con vencimiento el ${due}, aún no está completo.`
        : `Esto es un recordatorio: su pago de ${amount} a ${merchant}, con vencimiento el ${due}, aún no está completo.`;
    },
    periodNo: (periodNo, maxPeriods) => (maxPeriods === null ? `${periodNo}` : `${periodNo} de ${maxPeriods}`),
    priceIsFixedWhenOpened:
      'El precio en criptomonedas se fija cuando abre el pago y vale por poco tiempo. Ábralo, pues, cuando vaya a pagar; si el tiempo se agota antes, ábralo otra vez. No se cobra nada automáticamente.',
    alreadyPaid: 'Si acaba de pagar, no tiene que hacer nada más: puede que la red aún esté confirmando el pago.',
    pay: ({ amount }) => `Pagar ${amount}`,
    why: ({ merchant, every }) => `Recibe este correo porque aceptó solicitudes de pago de ${merchant} ${every}.`,
    stop: 'Cancelar estas solicitudes',
  },
};
