import type { EmailTexts } from '../texts.ts';
import { datesIn } from './dates.ts';

export const PORTUGUESE: EmailTexts = {
  language: { code: 'pt', greet: () => 'Olá,' },
  every: {
    weekly: 'todas as semanas',
    monthly: 'todos os meses',
    quarterly: 'de três em três meses',
    yearly: 'todos os anos',
  },
  ...datesIn(
    'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
    (day, month, year) => `${day} de ${month} de ${year}`,
  ),
  testSubject: (subject) => `[Teste] ${subject}`,
  testNotice: 'Isto é um teste. Não envie moedas reais.',
  names: {
    merchant: 'De',
    description: 'Descrição',
    reference: 'Referência',
    amount: 'Montante',
    interval: 'Frequência',
    firstRequest: 'Primeiro pedido',
    count: 'Quantidade',
    due: 'Vencimento',
    period: 'Número do pagamento',
  },
  confirmation: {
    subject: ({ merchant, amount, every }) => `Confirme, por favor: ${amount} ${every} a ${merchant}`,
    opening: ({ merchant, amount, every }) =>
      `${merchant} gostaria de lhe pedir ${amount} ${every}. Sem o seu consentimento, nada acontece.`,
    fromConfirmation: 'assim que confirmar',
    count: (maxPeriods, { merchant }) =>
      maxPeriods === null
        ? `sem número fixo: até serem cancelados por si ou por ${merchant}`
        : `${maxPeriods === 1 ? '1 pedido' : `no máximo ${maxPeriods} pedidos`}; depois terminam automaticamente`,
    nothingMovesByItself:
      'Nada é cobrado automaticamente. De cada vez, recebe um e-mail com uma ligação e é o próprio a pagar, com a sua carteira. Ninguém pode retirar nada dela. Pode cancelar a qualquer momento.',
    confirm: 'Ver e confirmar',
    silenceIsNo: (expires) =>
      `Pode confirmar até ${expires}. Se não quiser, não faça nada: conta como um não e termina automaticamente.`,
    why: ({ merchant }) => `Recebe este e-mail porque ${merchant} nos deu o seu endereço.`,
    decline: 'Recusar agora e não receber mais e-mails sobre isto',
  },
  request: {
    subject: ({ merchant, amount, due, reminder }) => {
      if (reminder === 'none') return `Pedido de pagamento: ${amount} a ${merchant}, vence a ${due}`;
      return `${reminder === 'last' ? 'Último lembrete' : 'Lembrete'}: ${amount} a ${merchant}, vence a ${due}`;
    },
    opening: ({ merchant, amount, every, due, reminder }) => {
      if (reminder === 'none')
        return `O seu pagamento de ${amount} a ${merchant}, que aceitou fazer ${every}, está a pagamento.`;
      return reminder === 'last'
        ? `Este é o último lembrete: o seu pagamento de ${amount} a ${merchant}, com vencimento a ${due}, ainda não está completo.`
        : `Isto é um lembrete: o seu pagamento de ${amount} a ${merchant}, com vencimento a ${due}, ainda não está completo.`;
    },
    periodNo: (periodNo, maxPeriods) => (maxPeriods === null ? `${periodNo}` : `${periodNo} de ${maxPeriods}`),
    priceIsFixedWhenOpened:
      'O preço em criptomoeda é fixado quando abre o pagamento e vale por pouco tempo. Abra-o, por isso, quando estiver pronto para pagar; se o tempo se esgotar antes, abra-o outra vez. Nada é cobrado automaticamente.',
    alreadyPaid: 'Se acabou de pagar, não precisa de fazer mais nada: a rede pode ainda estar a confirmar o pagamento.',
    pay: ({ amount }) => `Pagar ${amount}`,
    why: ({ merchant, every }) => `Recebe este e-mail porque aceitou pedidos de pagamento de ${merchant} ${every}.`,
    stop: 'Cancelar estes pedidos',
  },
};
