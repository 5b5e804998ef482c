import type { ReceiptTexts } from './texts.ts';

export const SPANISH_RECEIPT: ReceiptTexts = {
  heading: 'Recibo por correo electrónico',
  address: 'Su correo electrónico',
  button: 'Guardar',
  note: 'El recibo se envía cuando se completa el pago. La tienda también ve la dirección.',
  goesTo: (address) => `El recibo se enviará a ${address} cuando se complete el pago.`,
  isTest: 'Este es un pago de prueba: no se envía ningún correo.',
  change: 'Cambiar la dirección',
  wrong: 'Introduzca una dirección de correo como name@example.com.',
  fact: 'Recibo para',
};
