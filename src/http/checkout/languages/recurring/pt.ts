import type { RecurringTexts } from './en.ts';

export const PORTUGUESE_RECURRING: RecurringTexts = {
  banner: { strong: 'Teste', rest: 'não se pede dinheiro real' },
  back: 'Voltar',
  nextHeading: 'O que acontece depois',
  labels: {
    description: 'Referente a',
    often: 'Frequência',
    amount: 'Valor',
    start: 'Início',
    next: 'Próxima solicitação',
    count: 'Quantidade de pagamentos',
    period: 'Pagamento',
    due: 'Vencimento',
    wasDue: 'Venceu em',
  },
  often: { weekly: 'toda semana', monthly: 'todo mês', quarterly: 'a cada três meses', yearly: 'todo ano' },
  startsAtOnce: 'Assim que você aceitar',
  untilEnded: 'Até que você ou a loja as encerre',
  confirm: {
    ask: (often) => ({
      heading: 'Você aceita estas solicitações?',
      sentences: [`Esta loja gostaria de pedir a você um pagamento ${often}. Sem o seu aceite nada acontece.`],
    }),
    firstAtOnce: 'Você recebe a primeira solicitação por e-mail assim que aceitar, e outra a cada vencimento.',
    firstOnItsDay: 'Você recebe uma solicitação por e-mail a cada vencimento.',
    after: [
      'Nada é retirado da sua carteira: cada pagamento é feito por você.',
      'Um link em cada e-mail encerra as solicitações, quando você quiser.',
    ],
    button: 'Aceitar estas solicitações',
    otherwise: 'Você não esperava por isto? Então não faça nada: sem o seu aceite nenhum pagamento é pedido.',
  },
  stop: {
    ask: {
      heading: 'Parar estas solicitações?',
      sentences: ['Você pode encerrá-las a qualquer momento, sem dar um motivo.'],
    },
    decline: {
      heading: 'Parar estas solicitações?',
      sentences: ['Você não as aceitou. Pare-as, e não receberá mais e-mails sobre isto.'],
    },
    meaningHeading: 'O que significa parar',
    meaning: [
      'Nada mais é pedido, e nenhum lembrete é enviado.',
      'Um pagamento que você já enviou continua valendo.',
      'Isto encerra as solicitações, não o que você possa ter combinado com a loja. Avise também a loja.',
    ],
    button: 'Parar estas solicitações',
  },
  pay: {
    due: (amount) => ({
      heading: `Pagar ${amount}`,
      sentences: ['Quem envia as moedas é você: nada é retirado da sua carteira.'],
    }),
    late: (amount) => ({
      heading: `Pagar ${amount}`,
      sentences: ['Este pagamento está atrasado, mas você ainda pode fazê-lo.'],
    }),
    open: (amount) => ({
      heading: `Pagar ${amount}`,
      sentences: ['Você já abriu este pagamento, e o preço dele em moedas fica fixado por algum tempo.'],
    }),
    inProgress: {
      heading: 'O seu pagamento está a caminho',
      sentences: ['Já foram vistas moedas para este pagamento. Veja-o antes de enviar mais alguma coisa.'],
    },
    paid: { heading: 'Pago. Obrigado', sentences: ['Este pagamento está completo; não há mais nada a fazer.'] },
    nothingToPay: 'Aqui não há mais nada a pagar. Um pagamento que você já enviou continua valendo.',
    choose: 'Com que moeda você quer pagar?',
    fixed: 'O valor em moedas é calculado no próximo passo.',
    goToPay: 'Continuar para o pagamento',
    now: 'Pagar agora',
    payWith: (coin) => `Pagar com ${coin}`,
    continuePayment: 'Continuar o pagamento',
    another: 'Pagar com outra moeda',
    viewPayment: 'Ver o pagamento',
    receipt: 'Ver o recibo',
    token: (crypto, network) => `${crypto} na rede ${network}`,
  },
  statuses: {
    active: { heading: 'Confirmado', sentences: ['Você aceitou estas solicitações.'] },
    paused: {
      heading: 'Pausado pela loja',
      sentences: ['Você aceitou estas solicitações. Nada de novo é pedido até que a loja as retome.'],
    },
    cancelled: { heading: 'A loja encerrou estas solicitações', sentences: ['Nada mais é pedido.'] },
    stopped_by_customer: {
      heading: 'Estas solicitações estão paradas',
      sentences: [
        'Nada mais é pedido. Um pagamento que você já enviou continua valendo.',
        'Mudou de ideia? Peça à loja uma nova solicitação.',
      ],
    },
    bounced: {
      heading: 'Estas solicitações terminaram',
      sentences: [
        'Não foi possível entregar o e-mail a você, por isso nada mais é pedido.',
        'Quer que elas continuem? Dê à loja um endereço que funcione.',
      ],
    },
    expired_unconfirmed: {
      heading: 'O prazo para aceitar acabou',
      sentences: ['Nada será pedido. Quer estas solicitações mesmo assim? Peça à loja que envie uma nova.'],
    },
  },
  finished: {
    heading: 'Estas solicitações estão completas',
    sentences: ['O último pagamento já foi pedido. Não virá mais nenhum.'],
  },
  following: {
    none: 'A última solicitação foi enviada a você por e-mail.',
    first: (day) => `A primeira solicitação chega por e-mail em ${day}.`,
    next: (day) => `A próxima solicitação chega por e-mail em ${day}.`,
    firstIsDue: 'Seu primeiro pagamento vence agora. Enviamos o link a você por e-mail.',
    isDue: 'Há um pagamento que vence agora. Enviamos o link a você por e-mail.',
  },
  problems: {
    noSuchLink: {
      heading: 'Este link não existe',
      sentences: [
        'Confira se o endereço está completo: alguns programas de e-mail cortam os longos. Senão, abra de novo o link do e-mail, ou pergunte à loja.',
      ],
    },
    unavailable: {
      heading: 'Indisponível no momento',
      sentences: ['Isto não é possível agora, e nada foi alterado. Tente de novo em breve.'],
    },
    triesAgain: 'Esta página tenta de novo sozinha.',
    broken: {
      heading: 'Algo deu errado',
      sentences: ['A falha é nossa, não sua. Tente de novo em instantes.'],
    },
    notNow: {
      heading: 'Isso não é mais possível',
      sentences: ['Algo mudou nesse meio-tempo. Volte para ver como está.'],
    },
    chooseCoin: {
      heading: 'Escolha outra moeda',
      sentences: ['Este pagamento não pode ser feito com essa moeda. Volte e escolha uma das oferecidas.'],
    },
    shopCannot: {
      heading: 'Esta loja não pode receber pagamentos no momento',
      sentences: [
        'Não foi possível abrir um pagamento. Entre em contato com a loja, ou volte mais tarde: o link continua válido.',
      ],
    },
    notUnderstood: {
      heading: 'Isso não é possível',
      sentences: ['Não foi possível entender a solicitação. Abra de novo o link do e-mail.'],
    },
  },
};
