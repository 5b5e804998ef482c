import { datesIn } from './dates.ts';
import type { EmailTexts } from './en.ts';

export const FRENCH: EmailTexts = {
  language: { code: 'fr', greet: () => 'Bonjour,' },
  every: { weekly: 'chaque semaine', monthly: 'chaque mois', quarterly: 'tous les trois mois', yearly: 'chaque année' },
  ...datesIn(
    'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
    (day, month, year) => `${day === 1 ? '1er' : day} ${month} ${year}`,
  ),
  testSubject: (subject) => `[Test] ${subject}`,
  testNotice: 'Ceci est un test. Veuillez ne pas envoyer de vraies cryptomonnaies.',
  names: {
    merchant: 'De',
    description: 'Objet',
    reference: 'Référence',
    amount: 'Montant',
    interval: 'Fréquence',
    firstRequest: 'Première demande',
    count: 'Nombre',
    due: 'Échéance',
    period: 'Paiement',
  },
  confirmation: {
    subject: ({ merchant, amount, every }) => `Veuillez confirmer : ${amount} ${every} à ${merchant}`,
    opening: ({ merchant, amount, every }) =>
      `${merchant} souhaite vous demander ${amount} ${every}. Rien ne se passe sans votre accord.`,
    fromConfirmation: 'dès que vous confirmez',
    count: (maxPeriods, { merchant }) =>
      maxPeriods === null
        ? `pas de nombre fixe : jusqu’à ce que vous ou ${merchant} y mettiez fin`
        : `${maxPeriods === 1 ? '1 demande' : `${maxPeriods} demandes au plus`}, puis tout s’arrête automatiquement`,
    nothingMovesByItself:
      'Rien n’est prélevé. Chaque fois, vous recevez un e-mail avec un lien et vous payez vous-même, avec votre propre portefeuille. Personne ne peut y prélever quoi que ce soit. Vous pouvez y mettre fin à tout moment.',
    confirm: 'Consulter et confirmer',
    silenceIsNo: (expires) =>
      `Vous pouvez confirmer jusqu’au ${expires}. Si vous ne le souhaitez pas, ne faites rien : cela vaut refus, et tout s’arrête automatiquement.`,
    why: ({ merchant }) => `Vous recevez cet e-mail parce que ${merchant} nous a donné votre adresse.`,
    decline: 'Refuser maintenant et ne plus recevoir d’e-mails à ce sujet',
  },
  request: {
    subject: ({ merchant, amount, due, reminder }) => {
      if (reminder === 'none') return `Demande de paiement : ${amount} à ${merchant}, échéance le ${due}`;
      return `${reminder === 'last' ? 'Dernier rappel' : 'Rappel'} : ${amount} à ${merchant}, échéance le ${due}`;
    },
    opening: ({ merchant, amount, every, due, reminder }) => {
      if (reminder === 'none')
        return `Votre paiement de ${amount} à ${merchant}, que vous avez accepté de faire ${every}, est dû.`;
      return reminder === 'last'
        ? `Ceci est le dernier rappel : votre paiement de ${amount} à ${merchant}, dû le ${due}, n’est pas encore complet.`
        : `Ceci est un rappel : votre paiement de ${amount} à ${merchant}, dû le ${due}, n’est pas encore complet.`;
    },
    periodNo: (periodNo, maxPeriods) => (maxPeriods === null ? `${periodNo}` : `${periodNo} sur ${maxPeriods}`),
    priceIsFixedWhenOpened:
      'Le prix en cryptomonnaie est fixé quand vous ouvrez le paiement et reste valable peu de temps. Ouvrez-le donc quand vous êtes prêt à payer ; si le délai expire avant, ouvrez-le à nouveau. Rien n’est prélevé.',
    alreadyPaid:
      'Si vous venez de payer, il n’y a rien d’autre à faire : le réseau est peut-être encore en train de confirmer le paiement.',
    pay: ({ amount }) => `Payer ${amount}`,
    why: ({ merchant, every }) =>
      `Vous recevez cet e-mail parce que vous avez accepté des demandes de paiement de ${merchant} ${every}.`,
    stop: 'Mettre fin à ces demandes',
  },
};
