import type { Texts } from './en.ts';
import { PORTUGUESE_LINKS } from './link-texts.ts';
import { PORTUGUESE_RECEIPT } from './receipt-texts.ts';
import { PORTUGUESE_RECURRING } from './recurring/pt.ts';
import { PORTUGUESE_REJECTED_LINK } from './rejected-link-texts.ts';

/** As written in Brazil, where most of its readers live. */
export const PORTUGUESE: Texts = {
  language: 'Idioma',
  banner: { strong: 'Pagamento de teste', rest: 'sem dinheiro real' },
  connectionLost: 'A conexão foi perdida. Tentando de novo…',
  otherCoin: 'Escolher outra moeda',
  backToShop: 'Voltar à loja',
  newQuote: 'Obter um novo preço',
  print: 'Imprimir o recibo',
  support: 'Dúvidas? Fale com a loja:',
  contact: {
    heading: 'Falar com a loja',
    unknown: 'Procure os dados de contato no site da loja ou nos e-mails dela.',
    quote: 'Ao escrever para a loja, informe este número de pagamento.',
    refund: (coin, network) =>
      `Para um reembolso, inclua um endereço da sua própria carteira para ${coin} na rede ${network}. Quem faz o reembolso é a loja; nada é devolvido automaticamente.`,
  },
  copy: {
    button: 'Copiar',
    done: 'Copiado',
    amount: 'Copiar o valor',
    address: 'Copiar o endereço',
    transactionId: 'Copiar o identificador da transação',
    paymentNumber: 'Copiar o número do pagamento',
  },
  timer: { left: 'Tempo restante', warning: 'Faltam menos de cinco minutos para pagar' },
  pay: {
    amount: 'Valor',
    stillToPay: 'Falta pagar',
    address: 'Endereço',
    code: 'Código QR',
    fullCode: 'Endereço e valor',
    addressCode: 'Somente o endereço',
    fullCodeLabel: (amount) => `Código QR com o endereço e o valor de ${amount}`,
    addressCodeLabel: (address) => `Código QR com o endereço ${address}`,
    amountNotInCode: (amount) => `O valor não está neste código: digite você mesmo ${amount}.`,
    openWallet: 'Abrir a carteira',
    exchangeFee: (amount) =>
      `Vai enviar de uma corretora? A taxa dela é à parte: aqui deve chegar o valor exato de ${amount}.`,
  },
  network: {
    only: (coin, network) => `Somente ${coin} na rede ${network}.`,
    lost: 'O que for enviado por outra rede se perde.',
    kinds: { mainnet: null, testnet: 'rede de teste', regtest: 'rede de teste privada' },
  },
  screens: {
    arrived: ({ paid, due }) => `Valor recebido: ${paid} de ${due}.`,
    replaced: 'Uma transação anterior foi substituída por outra e não conta mais.',
    gone: (amount) =>
      `Um pagamento de ${amount} foi visto, mas não está mais na rede. Verifique a sua carteira antes de pagar de novo.`,
    waiting: (price, coin) => ({
      heading: `Pagar ${price}`,
      sentences: [
        `Envie exatamente o valor em ${coin} indicado abaixo: leia o código com o aplicativo da sua carteira, ou copie nele o valor e o endereço.`,
      ],
    }),
    partial: {
      heading: (missing) => `Ainda falta pagar ${missing}`,
      sendRest: (missing) => `Envie exatamente mais ${missing} para o mesmo endereço.`,
    },
    checking: {
      heading: 'Verificando a rede',
      cannotSee: (chain) => `No momento não vemos novos pagamentos na rede ${chain}.`,
      youCanStillPay:
        'Você ainda pode pagar: o que enviar a tempo será encontrado e contará. Não pague duas vezes; esta página se atualiza sozinha.',
      windowIsOver: [
        'O prazo para pagar acabou. Estamos verificando uma última vez se o seu pagamento chegou.',
        'Se você pagou a tempo, o seu pagamento conta. Não envie nada agora.',
      ],
    },
    seen: (paid) => ({
      heading: 'O pagamento está a caminho',
      sentences: [
        `Um pagamento de ${paid} foi visto e a rede o está confirmando. Você pode sair desta página: a loja é avisada automaticamente.`,
      ],
    }),
    blind: 'No momento não vemos as confirmações mais recentes. Nada se perde; esta página se atualizará sozinha.',
    completed: {
      heading: 'Pago',
      confirmed: (paid) => `Valor confirmado: ${paid}. Obrigado.`,
      acceptedByShop: 'A loja aceitou este pagamento.',
      tooMuch: (excess) =>
        `Você pagou ${excess} a mais do que o devido. Entre em contato com a loja para recuperar a diferença.`,
      tooMuchSettled: (excess) => `Você pagou ${excess} a mais do que o devido. A loja marcou isso como resolvido.`,
    },
    lostHeading: { all: 'Este pagamento não está mais na rede', part: 'Parte deste pagamento não está mais na rede' },
    lost: 'A loja não tem essas moedas. Veja na sua carteira se voltaram, e entre em contato com a loja.',
    lostSettled: 'A loja já resolveu isso.',
    lostUnpaid:
      'Se a sua carteira mostrar o pagamento como cancelado ou substituído, entre em contato com a loja antes de pagar de novo.',
    mayReturn: {
      lost: 'Se as moedas chegarem de novo, esta página mostrará.',
      lostUnpaid:
        'As moedas foram vistas, mas não estão mais visíveis na rede. Podem voltar; esta página se atualiza automaticamente.',
      failedGone: 'Se as moedas chegarem mesmo assim, serão encontradas, e a loja será avisada.',
    },
    expired: {
      heading: 'Este pagamento expirou',
      sentences: [
        'Não envie nada agora: o preço não é mais válido.',
        'Já enviou? O seu pagamento será encontrado, e a loja será avisada.',
      ],
      paid: ['Não envie mais nada.', 'Pergunte à loja o que acontece com o que chegou.'],
      paidDismissed: [
        'A loja não aceitou o pagamento atrasado. Não envie mais nada.',
        'Pergunte à loja o que acontece com o que chegou.',
      ],
      paidSettled: ['Não envie mais nada.', 'A loja marcou o que chegou como resolvido.'],
    },
    late: (paid) => ({
      heading: 'O seu pagamento chegou atrasado',
      sentences: [
        `Um valor de ${paid} chegou depois do fim do prazo para pagar. A loja foi avisada e decide se aceita o pagamento ou o reembolsa.`,
        'Não envie mais nada.',
      ],
    }),
    confirmedLate: (paid) => ({
      heading: 'O seu pagamento foi confirmado com atraso',
      sentences: [
        `Um valor de ${paid} chegou a tempo, mas a rede só o confirmou depois que o pagamento já tinha falhado. A loja foi avisada e decide se aceita o pagamento ou o reembolsa.`,
        'Não envie mais nada.',
      ],
    }),
    mixedLate: (paid) => ({
      heading: 'O seu pagamento atrasou',
      sentences: [
        `Uma parte de ${paid} chegou depois do fim do prazo para pagar. O resto chegou a tempo, mas a rede só o confirmou depois que o pagamento já tinha falhado. A loja foi avisada e decide se aceita o pagamento ou o reembolsa.`,
        'Não envie mais nada.',
      ],
    }),
    reviewing: {
      heading: 'A loja está verificando este pagamento',
      sentences: [
        'Houve um movimento no endereço de pagamento que não corresponde a nenhum pagamento conhecido. Pedimos à loja que verifique.',
        'Enquanto isso, o prazo está parado. Não envie mais nada.',
      ],
    },
    failed: {
      heading: 'Este pagamento falhou',
      sentences: [
        'A rede não confirmou o pagamento a tempo. Entre em contato com a loja antes de pagar de novo.',
        'Se ele for confirmado mesmo assim, a loja será avisada.',
      ],
    },
    failedGone: {
      heading: 'Este pagamento falhou',
      sentences: [
        'As moedas deste pagamento não estão mais na rede. Entre em contato com a loja antes de pagar de novo.',
      ],
    },
    failedLater: {
      heading: 'Este pagamento falhou',
      sentences: [
        'As moedas enviadas a tempo não estão mais na rede. Entre em contato com a loja antes de pagar de novo.',
        'As moedas que chegaram depois não contam como pagamento.',
      ],
    },
    failedRejected: {
      heading: 'Este pagamento falhou',
      sentences: ['A loja recusou este pagamento. Entre em contato com a loja antes de pagar de novo.'],
    },
  },
  countOf: (count, total) => `${count} de ${total}`,
  confirmations: { one: 'confirmação', many: 'confirmações', other: 'confirmações' },
  labels: {
    heading: 'Detalhes',
    order: 'Pedido',
    price: 'Preço',
    amountDue: 'Valor devido',
    rate: 'Cotação fixada',
    paidSoFar: 'Pago até agora',
    paid: 'Pago',
    received: 'Recebido',
    receivedUnconfirmed: 'Recebido, não confirmado',
    stillDue: 'Ainda devido',
    paidTooMuch: 'Pago a mais',
    network: 'Rede',
    confirmations: 'Confirmações',
    created: 'Criado',
    payUntil: 'Pagar até',
    wasOpenUntil: 'Ficou aberto até',
    completed: 'Concluído',
    paymentNumber: 'Número do pagamento',
  },
  paymentsHeading: 'Pagamentos',
  explorer: (name) => `Ver em ${name}`,
  statuses: {
    detected: 'visto, ainda não confirmado',
    confirming: 'sendo confirmado',
    confirmed: 'confirmado',
    replaced: 'substituído, não conta',
    gone: 'não está mais na rede',
  },
  simulate: {
    heading: 'Simular',
    note: 'Só os pagamentos de teste têm estes botões.',
    actions: {
      pay: 'Pagar o devido',
      pay_partial: 'Pagar uma parte',
      overpay: 'Pagar a mais',
      confirm: 'Confirmar',
      double_spend: 'Gastar duas vezes',
      reorg: 'Reorganizar a cadeia',
      advance_clock: 'Deixar o prazo acabar',
      pay_late: 'Pagar com atraso',
      drop_balance: 'Reduzir o saldo',
    },
  },
  problems: {
    notFound: {
      heading: 'Este pagamento não existe',
      sentences: ['Confira se o link está completo, ou abra o pagamento de novo a partir da loja.'],
    },
    unavailable: {
      heading: 'Indisponível no momento',
      sentences: [
        'Esta página não pode ser mostrada agora. Os pagamentos não são afetados. Tente de novo em instantes.',
      ],
    },
    broken: {
      heading: 'Algo deu errado',
      sentences: ['A falha é nossa, não sua, e os pagamentos não são afetados. Tente de novo em instantes.'],
    },
    notNow: {
      heading: 'Não é possível',
      sentences: ['O estado atual do pagamento não permite isso. Volte para ver como ele está.'],
    },
    notUnderstood: {
      heading: 'Não é possível',
      sentences: ['Não foi possível ler o que foi enviado. Volte e tente de novo.'],
    },
    backToPayment: 'Voltar ao pagamento',
  },
  payProblems: {
    amount: {
      heading: 'Este valor não pode ser pago',
      sentences: ['Você não pagou nada. Volte e escolha outro valor.'],
    },
    coin: {
      heading: 'Aqui não se pode pagar com esta moeda',
      sentences: ['Você não pagou nada. Volte e escolha outra moeda.'],
    },
    paymentOpen: {
      heading: 'Você tem outro pagamento aberto',
      sentences: ['Conclua-o primeiro, ou volte quando o prazo dele acabar.'],
    },
    tooMany: {
      heading: 'Solicitações demais',
      sentences: ['Chegaram solicitações demais da sua conexão com a internet. Espere um momento.'],
    },
    tooManyOpen: {
      heading: 'Esta loja tem pagamentos abertos demais',
      sentences: [
        'Você não pagou nada. Pagamentos demais para esta loja estão pendentes. Tente de novo mais tarde, quando alguns tiverem sido pagos ou expirado.',
      ],
    },
    tooManyOpenOfNetwork: {
      heading: 'Há pagamentos demais abertos na sua conexão com a internet',
      sentences: [
        'Você não pagou nada. Conclua um pagamento aberto, ou volte quando alguns tiverem expirado. Se você divide a conexão com outras pessoas, tente outra, como os dados móveis.',
      ],
    },
    unavailable: {
      heading: 'Indisponível no momento',
      sentences: ['A página de pagamento não pode ser aberta agora. Você não pagou nada.'],
    },
    shopCannot: {
      heading: 'Esta loja não pode receber pagamentos no momento',
      sentences: [
        'Você não pagou nada, e aqui não há nada a pagar.',
        'Entre em contato com a loja, ou escolha outra forma de pagamento.',
      ],
    },
    wrongAddress: {
      heading: 'Esta página de pagamento não pode ser aberta',
      sentences: ['O link que trouxe você aqui não está certo. Você não pagou nada. Volte e avise a loja.'],
    },
    triesAgain: 'Esta página tenta de novo sozinha.',
    goToOpenPayment: 'Ir para o pagamento aberto',
    forShop: { heading: 'Para a loja', code: 'Código do erro', request: 'Solicitação' },
  },
  recurring: PORTUGUESE_RECURRING,
  links: PORTUGUESE_LINKS,
  rejectedLink: PORTUGUESE_REJECTED_LINK,
  receipt: PORTUGUESE_RECEIPT,
};
