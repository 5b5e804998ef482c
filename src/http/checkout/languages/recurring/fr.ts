import type { RecurringTexts } from './en.ts';

export const FRENCH_RECURRING: RecurringTexts = {
  banner: { strong: 'Essai', rest: 'aucun argent réel n’est demandé' },
  back: 'Retour',
  nextHeading: 'La suite',
  labels: {
    description: 'Objet',
    often: 'Fréquence',
    amount: 'Montant',
    start: 'Début',
    next: 'Prochaine demande',
    count: 'Nombre de paiements',
    period: 'Paiement',
    due: 'Échéance',
    wasDue: 'Échéance passée',
  },
  often: {
    weekly: 'chaque semaine',
    monthly: 'chaque mois',
    quarterly: 'tous les trois mois',
    yearly: 'chaque année',
  },
  startsAtOnce: 'Dès que vous acceptez',
  untilEnded: 'Jusqu’à ce que vous ou la boutique y mettiez fin',
  confirm: {
    ask: (often) => ({
      heading: 'Acceptez-vous ces demandes\u00a0?',
      sentences: [`Cette boutique souhaite vous demander un paiement ${often}. Rien ne se passe sans votre accord.`],
    }),
    firstAtOnce: 'Vous recevez la première demande par e-mail dès que vous acceptez, puis une autre à chaque échéance.',
    firstOnItsDay: 'Vous recevez une demande par e-mail à chaque échéance.',
    after: [
      'Rien n’est jamais prélevé sur votre portefeuille\u00a0: vous faites chaque paiement vous-même.',
      'Un lien dans chaque e-mail met fin aux demandes, quand vous le voulez.',
    ],
    button: 'Accepter ces demandes',
    otherwise:
      'Vous ne vous y attendiez pas\u00a0? Ne faites rien\u00a0: sans votre accord, aucun paiement n’est demandé.',
  },
  stop: {
    ask: {
      heading: 'Arrêter ces demandes\u00a0?',
      sentences: ['Vous pouvez y mettre fin à tout moment, sans donner de raison.'],
    },
    decline: {
      heading: 'Arrêter ces demandes\u00a0?',
      sentences: ['Vous ne les avez pas acceptées. Arrêtez-les, et vous ne recevrez plus d’e-mails à ce sujet.'],
    },
    meaningHeading: 'Ce que cela signifie',
    meaning: [
      'Plus rien n’est demandé, et aucun rappel n’est envoyé.',
      'Un paiement déjà envoyé compte toujours.',
      'Cela met fin aux demandes, pas à ce que vous avez pu convenir avec la boutique. Prévenez-la également.',
    ],
    button: 'Arrêter ces demandes',
  },
  pay: {
    due: (amount) => ({
      heading: `Payer ${amount}`,
      sentences: ['Vous envoyez les fonds vous-même\u00a0: rien n’est prélevé sur votre portefeuille.'],
    }),
    late: (amount) => ({
      heading: `Payer ${amount}`,
      sentences: ['Ce paiement est en retard, mais vous pouvez encore le faire.'],
    }),
    open: (amount) => ({
      heading: `Payer ${amount}`,
      sentences: ['Vous avez déjà ouvert ce paiement, et son prix en cryptomonnaie est fixé pour un moment.'],
    }),
    inProgress: {
      heading: 'Votre paiement est en route',
      sentences: ['Des fonds pour ce paiement ont été vus. Consultez-le avant d’envoyer quoi que ce soit d’autre.'],
    },
    paid: { heading: 'Payé. Merci', sentences: ['Ce paiement est terminé\u00a0; il n’y a plus rien à faire.'] },
    nothingToPay: 'Il n’y a plus rien à payer ici. Un paiement déjà envoyé compte toujours.',
    choose: 'Avec quelle cryptomonnaie voulez-vous payer\u00a0?',
    fixed: 'Le montant en cryptomonnaie est calculé à l’étape suivante.',
    goToPay: 'Continuer vers le paiement',
    now: 'Payer maintenant',
    payWith: (coin) => `Payer avec ${coin}`,
    continuePayment: 'Poursuivre le paiement',
    another: 'Payer avec une autre cryptomonnaie',
    viewPayment: 'Voir le paiement',
    receipt: 'Voir le reçu',
    token: (crypto, network) => `${crypto} sur ${network}`,
  },
  statuses: {
    active: { heading: 'Confirmé', sentences: ['Vous avez accepté ces demandes.'] },
    paused: {
      heading: 'Suspendu par la boutique',
      sentences: [
        'Vous avez accepté ces demandes. Rien de nouveau n’est demandé tant que la boutique ne les reprend pas.',
      ],
    },
    cancelled: { heading: 'La boutique a mis fin à ces demandes', sentences: ['Plus rien n’est demandé.'] },
    stopped_by_customer: {
      heading: 'Ces demandes sont arrêtées',
      sentences: [
        'Plus rien n’est demandé. Un paiement déjà envoyé compte toujours.',
        'Vous avez changé d’avis\u00a0? Demandez à la boutique de vous envoyer une nouvelle demande.',
      ],
    },
    bounced: {
      heading: 'Ces demandes ont pris fin',
      sentences: [
        'Les e-mails n’ont pas pu vous être remis\u00a0; plus rien n’est donc demandé.',
        'Voulez-vous qu’elles continuent\u00a0? Donnez à la boutique une adresse qui fonctionne.',
      ],
    },
    expired_unconfirmed: {
      heading: 'Le délai pour accepter est passé',
      sentences: [
        'Rien ne sera demandé. Voulez-vous tout de même ces demandes\u00a0? Demandez à la boutique de vous en envoyer une nouvelle.',
      ],
    },
  },
  finished: {
    heading: 'Ces demandes sont terminées',
    sentences: ['Le dernier paiement a été demandé. Il n’y en aura pas d’autre.'],
  },
  following: {
    none: 'La dernière demande vous a été envoyée par e-mail.',
    first: (day) => `La première demande arrive par e-mail le ${day}.`,
    next: (day) => `La prochaine demande arrive par e-mail le ${day}.`,
    firstIsDue: 'Votre premier paiement est dû maintenant. Nous vous avons envoyé le lien par e-mail.',
    isDue: 'Un paiement est dû maintenant. Nous vous avons envoyé le lien par e-mail.',
  },
  problems: {
    noSuchLink: {
      heading: 'Ce lien n’existe pas',
      sentences: [
        'Vérifiez que l’adresse est complète\u00a0: certains logiciels de messagerie coupent les longues adresses. Sinon, rouvrez le lien depuis l’e-mail ou demandez à la boutique.',
      ],
    },
    unavailable: {
      heading: 'Temporairement indisponible',
      sentences: ['Cela n’est pas possible pour le moment, et rien n’a été modifié. Réessayez dans un instant.'],
    },
    triesAgain: 'Cette page réessaie d’elle-même.',
    broken: {
      heading: 'Une erreur s’est produite',
      sentences: ['C’est notre faute, pas la vôtre. Réessayez dans un instant.'],
    },
    notNow: {
      heading: 'Ce n’est plus possible',
      sentences: ['Quelque chose a changé entre-temps. Revenez en arrière pour voir où en sont les choses.'],
    },
    chooseCoin: {
      heading: 'Choisissez une autre cryptomonnaie',
      sentences: [
        'Ce paiement ne peut pas se faire avec celle-ci. Revenez en arrière et choisissez-en une parmi celles proposées.',
      ],
    },
    shopCannot: {
      heading: 'Cette boutique ne peut pas accepter de paiements pour le moment',
      sentences: [
        'Aucun paiement n’a pu être ouvert. Contactez la boutique, ou revenez plus tard\u00a0: le lien reste valable.',
      ],
    },
    notUnderstood: {
      heading: 'Ce n’est pas possible',
      sentences: ['La demande n’a pas été comprise. Rouvrez le lien depuis l’e-mail.'],
    },
  },
};
