import { datesIn } from './dates.ts';
import type { EmailTexts } from './en.ts';

export const ITALIAN: EmailTexts = {
  language: { code: 'it', greet: () => 'Buongiorno,' },
  every: { weekly: 'ogni settimana', monthly: 'ogni mese', quarterly: 'ogni tre mesi', yearly: 'ogni anno' },
  ...datesIn(
    'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
    (day, month, year) => `${day} ${month} ${year}`,
  ),
  testSubject: (subject) => `[Test] ${subject}`,
  testNotice: 'Questo è un test. Non inviare monete reali.',
  names: {
    merchant: 'Da',
    description: 'Per',
    reference: 'Riferimento',
    amount: 'Importo',
    interval: 'Frequenza',
    firstRequest: 'Prima richiesta',
    count: 'Numero',
    due: 'Scadenza',
    period: 'Pagamento',
  },
  confirmation: {
    subject: ({ merchant, amount, every }) => `Conferma richiesta: ${amount} ${every} a ${merchant}`,
    opening: ({ merchant, amount, every }) =>
      `${merchant} vorrebbe chiederti ${amount} ${every}. Senza il tuo consenso non succede nulla.`,
    fromConfirmation: 'non appena confermi',
    count: (maxPeriods, { merchant }) =>
      maxPeriods === null
        ? `nessun numero fisso: finché tu o ${merchant} non le interrompete`
        : `${maxPeriods === 1 ? '1 richiesta' : `al massimo ${maxPeriods} richieste`}, poi finiscono automaticamente`,
    nothingMovesByItself:
      'Nulla viene addebitato automaticamente. Ogni volta ricevi un’e-mail con un link e paghi tu, con il tuo portafoglio. Nessuno può prelevare nulla. Puoi interrompere tutto in qualsiasi momento.',
    confirm: 'Guarda e conferma',
    silenceIsNo: (expires) =>
      `Puoi confermare fino al ${expires}. Se non vuoi, non fare nulla: vale come un no e tutto finisce automaticamente.`,
    why: ({ merchant }) => `Ricevi questa e-mail perché ${merchant} ci ha dato il tuo indirizzo.`,
    decline: 'Rifiuta ora e non ricevere altre e-mail al riguardo',
  },
  request: {
    subject: ({ merchant, amount, due, reminder }) => {
      if (reminder === 'none') return `Richiesta di pagamento: ${amount} a ${merchant}, scadenza ${due}`;
      return `${reminder === 'last' ? 'Ultimo promemoria' : 'Promemoria'}: ${amount} a ${merchant}, scadenza ${due}`;
    },
    opening: ({ merchant, amount, every, due, reminder }) => {
      if (reminder === 'none')
        return `Il tuo pagamento di ${amount} a ${merchant}, che hai accettato di fare ${every}, è in scadenza.`;
      return reminder === 'last'
        ? `Questo è l’ultimo promemoria: il tuo pagamento di ${amount} a ${merchant}, con scadenza ${due}, non è ancora completo.`
        : `Questo è un promemoria: il tuo pagamento di ${amount} a ${merchant}, con scadenza ${due}, non è ancora completo.`;
    },
    periodNo: (periodNo, maxPeriods) => (maxPeriods === null ? `${periodNo}` : `${periodNo} di ${maxPeriods}`),
    priceIsFixedWhenOpened:
      'Il prezzo in criptovaluta viene fissato quando apri il pagamento e vale per poco tempo. Aprilo quindi quando sei pronto a pagare; se il tempo scade prima, aprilo di nuovo. Nulla viene addebitato automaticamente.',
    alreadyPaid: 'Se hai appena pagato, non devi fare altro: la rete potrebbe essere ancora in fase di conferma.',
    pay: ({ amount }) => `Paga ${amount}`,
    why: ({ merchant, every }) =>
      `Ricevi questa e-mail perché hai accettato richieste di pagamento da ${merchant} ${every}.`,
    stop: 'Interrompi queste richieste',
  },
};
