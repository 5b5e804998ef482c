import { datesIn } from './dates.ts';
import type { EmailTexts } from './en.ts';

export const PORTUGUESE: EmailTexts = {
  language: { code: 'pt', greet: () => 'Olá,' },
  every: {
    weekly: 'toda semana',
    monthly: 'todo mês',
    quarterly: 'a cada três meses',
    yearly: 'todo ano',
  },
  ...datesIn(
    'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
    (day, month, year) => `${day} de ${month} de ${year}`,
  ),
  testSubject: (subject) => `[Teste] ${subject}`,
  testNotice: 'Este é um teste. Não envie moedas reais.',
  names: {
    merchant: 'De',
    description: 'Descrição',
    reference: 'Referência',
    amount: 'Valor',
    interval: 'Frequência',
    firstRequest: 'Primeira solicitação',
    count: 'Quantidade',
    due: 'Vencimento',
    period: 'Pagamento',
  },
  confirmation: {
    subject: ({ merchant, amount, every }) => `Confirme: ${amount} ${every} para ${merchant}`,
    opening: ({ merchant, amount, every }) =>
      `${merchant} gostaria de solicitar a você ${amount} ${every}. Sem a sua concordância, nada acontece.`,
    fromConfirmation: 'assim que você confirmar',
    count: (maxPeriods, { merchant }) =>
      maxPeriods === null
        ? `sem número fixo: até que você ou ${merchant} encerre as solicitações`
        : `${maxPeriods === 1 ? '1 solicitação' : `no máximo ${maxPeriods} solicitações`}; depois elas terminam automaticamente`,
    nothingMovesByItself:
      'Nada é cobrado automaticamente. A cada vez, você recebe um e-mail com um link e paga você mesmo, com a sua carteira. Ninguém pode retirar nada dela. Você pode cancelar a qualquer momento.',
    confirm: 'Ver e confirmar',
    silenceIsNo: (expires) =>
      `Você pode confirmar até ${expires}. Se não quiser, ignore este e-mail: a solicitação expira automaticamente.`,
    why: ({ merchant }) => `Você recebeu este e-mail porque ${merchant} nos informou seu endereço.`,
    decline: 'Recusar agora e não receber mais e-mails sobre isso',
  },
  request: {
    subject: ({ merchant, amount, due, reminder }) => {
      if (reminder === 'none') return `Solicitação de pagamento: ${amount} para ${merchant}, vence em ${due}`;
      return `${reminder === 'last' ? 'Último lembrete' : 'Lembrete'}: ${amount} para ${merchant}, vence em ${due}`;
    },
    opening: ({ merchant, amount, every, due, reminder }) => {
      if (reminder === 'none')
        return `Seu pagamento de ${amount} para ${merchant}, que você aceitou fazer ${every}, está vencendo.`;
      return reminder === 'last'
        ? `Este é o último lembrete: seu pagamento de ${amount} para ${merchant}, com vencimento em ${due}, ainda não está completo.`
        : `Este é um lembrete: seu pagamento de ${amount} para ${merchant}, com vencimento em ${due}, ainda não está completo.`;
    },
    periodNo: (periodNo, maxPeriods) => (maxPeriods === null ? `${periodNo}` : `${periodNo} de ${maxPeriods}`),
    priceIsFixedWhenOpened:
      'O preço em criptomoeda é fixado quando você abre o pagamento e vale por pouco tempo. Abra-o quando estiver pronto para pagar; se o tempo acabar antes, abra-o de novo. Nada é cobrado automaticamente.',
    alreadyPaid:
      'Se você acabou de pagar, não precisa fazer mais nada: a rede ainda pode estar confirmando o pagamento.',
    pay: ({ amount }) => `Pagar ${amount}`,
    why: ({ merchant, every }) =>
      `Você recebeu este e-mail porque aceitou solicitações de pagamento de ${merchant} ${every}.`,
    stop: 'Parar estas solicitações',
  },
};
