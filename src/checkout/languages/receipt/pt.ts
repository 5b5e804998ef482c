import type { ReceiptTexts } from './texts.ts';

export const PORTUGUESE_RECEIPT: ReceiptTexts = {
  heading: 'Recibo por e-mail',
  address: 'Seu endereço de e-mail',
  button: 'Salvar',
  note: 'O recibo é enviado quando o pagamento for concluído. A loja também vê o endereço.',
  goesTo: (address) => `O recibo será enviado para ${address} quando o pagamento for concluído.`,
  isTest: 'Este é um pagamento de teste: nenhum e-mail é enviado.',
  change: 'Alterar o endereço',
  wrong: 'Digite um endereço de e-mail como name@example.com.',
  fact: 'Recibo para',
};
