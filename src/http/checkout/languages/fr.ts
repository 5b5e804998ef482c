import type { Texts } from './en.ts';
import { FRENCH_LINKS } from './link-texts.ts';
import { FRENCH_RECEIPT } from './receipt-texts.ts';
import { FRENCH_RECURRING } from './recurring/fr.ts';
import { FRENCH_REJECTED_LINK } from './rejected-link-texts.ts';

/** A no-break space before : ; ? ! keeps these off the start of a line. */
export const FRENCH: Texts = {
  language: 'Langue',
  banner: { strong: 'Paiement de test', rest: 'sans argent réel' },
  connectionLost: 'La connexion est interrompue. Nouvelle tentative…',
  otherCoin: 'Choisir une autre cryptomonnaie',
  backToShop: 'Retour à la boutique',
  newQuote: 'Obtenir un nouveau prix',
  print: 'Imprimer le reçu',
  support: 'Des questions ? Contactez la boutique :',
  contact: {
    heading: 'Contacter la boutique',
    unknown: 'Cherchez ses coordonnées sur son site ou dans ses e-mails.',
    quote: 'Quand vous écrivez à la boutique, indiquez ce numéro de paiement.',
    refund: (coin, network) =>
      `Pour un remboursement, indiquez aussi une adresse de votre propre portefeuille pour ${coin} sur ${network}. C’est la boutique qui rembourse\u00a0; rien n’est renvoyé automatiquement.`,
  },
  copy: {
    button: 'Copier',
    done: 'Copié',
    amount: 'Copier le montant',
    address: 'Copier l’adresse',
    transactionId: 'Copier l’identifiant de transaction',
    paymentNumber: 'Copier le numéro de paiement',
  },
  timer: { left: 'Temps restant', warning: 'Il reste moins de cinq minutes pour payer' },
  pay: {
    amount: 'Montant',
    stillToPay: 'Reste à payer',
    address: 'Adresse',
    code: 'Code QR',
    fullCode: 'Adresse et montant',
    addressCode: 'Adresse seule',
    fullCodeLabel: (amount) => `Code QR avec l’adresse et le montant de ${amount}`,
    addressCodeLabel: (address) => `Code QR avec l’adresse ${address}`,
    amountNotInCode: (amount) => `Le montant n’est pas dans ce code\u00a0: saisissez ${amount} vous-même.`,
    openWallet: 'Ouvrir le portefeuille',
    exchangeFee: (amount) =>
      `Vous envoyez depuis une plateforme d’échange\u00a0? Ses frais s’ajoutent\u00a0: le montant exact de ${amount} doit arriver ici.`,
  },
  network: {
    only: (coin, network) => `${coin} sur ${network} uniquement.`,
    lost: 'Les fonds envoyés sur un autre réseau sont perdus.',
    kinds: { mainnet: null, testnet: 'réseau de test', regtest: 'réseau de test privé' },
  },
  screens: {
    arrived: ({ paid, due }) => `Montant reçu\u00a0: ${paid} sur ${due}.`,
    replaced: 'Une transaction antérieure a été remplacée par une autre et ne compte plus.',
    gone: (amount) =>
      `Un paiement de ${amount} a été détecté, mais n’est plus sur le réseau. Vérifiez votre portefeuille avant de payer à nouveau.`,
    waiting: (price, coin) => ({
      heading: `Payer ${price}`,
      sentences: [
        `Envoyez exactement le montant en ${coin} indiqué ci-dessous\u00a0: scannez le code avec l’application de votre portefeuille, ou copiez-y le montant et l’adresse.`,
      ],
    }),
    partial: {
      heading: (missing) => `Il manque encore ${missing}`,
      sendRest: (missing) => `Veuillez envoyer exactement ${missing} de plus à la même adresse.`,
    },
    checking: {
      heading: 'Vérification du réseau',
      cannotSee: (chain) => `Nous ne voyons pas les nouveaux paiements sur le réseau ${chain} pour le moment.`,
      youCanStillPay:
        'Vous pouvez toujours payer\u00a0: ce que vous envoyez à temps sera trouvé et compté. Ne payez pas deux fois\u00a0; cette page se met à jour toute seule.',
      windowIsOver: [
        'Le délai pour payer est écoulé. Nous vérifions une dernière fois si votre paiement est arrivé.',
        'Si vous avez payé à temps, votre paiement compte. N’envoyez plus rien maintenant.',
      ],
    },
    seen: (paid) => ({
      heading: 'Votre paiement est en route',
      sentences: [
        `Un paiement de ${paid} a été détecté et est en cours de confirmation par le réseau. Vous pouvez quitter cette page\u00a0: la boutique sera prévenue automatiquement.`,
      ],
    }),
    blind:
      'Nous ne voyons pas les dernières confirmations pour le moment. Rien n’est perdu\u00a0; cette page rattrapera son retard toute seule.',
    completed: {
      heading: 'Payé',
      confirmed: (paid) => `Montant confirmé\u00a0: ${paid}. Merci.`,
      acceptedByShop: 'La boutique a accepté ce paiement.',
      tooMuch: (excess) => `Vous avez payé ${excess} de trop. Contactez la boutique pour récupérer la différence.`,
      tooMuchSettled: (excess) => `Vous avez payé ${excess} de trop. La boutique a marqué cela comme réglé.`,
    },
    lostHeading: {
      all: 'Ce paiement n’est plus sur le réseau',
      part: 'Une partie de ce paiement n’est plus sur le réseau',
    },
    lost: 'La boutique n’a pas ces fonds. Regardez dans votre portefeuille s’ils y sont revenus, et contactez la boutique.',
    lostSettled: 'La boutique a réglé cela.',
    lostUnpaid:
      'Si votre portefeuille indique que le paiement est annulé ou remplacé, contactez la boutique avant de payer à nouveau.',
    mayReturn: {
      lost: 'Si les fonds arrivent à nouveau, cette page l’indiquera.',
      lostUnpaid:
        'Les fonds avaient été détectés, mais ne sont plus visibles sur le réseau. Ils peuvent réapparaître\u00a0; cette page se met à jour automatiquement.',
      failedGone: 'Si les fonds arrivent malgré tout, ils seront trouvés, et la boutique sera prévenue.',
    },
    expired: {
      heading: 'Ce paiement a expiré',
      sentences: [
        'N’envoyez plus rien maintenant\u00a0: le prix n’est plus valable.',
        'Déjà envoyé\u00a0? Votre paiement sera trouvé, et la boutique sera prévenue.',
      ],
      paid: ['N’envoyez plus rien.', 'Demandez à la boutique ce qu’il advient de ce qui est arrivé.'],
      paidDismissed: [
        'La boutique n’a pas accepté le paiement en retard. N’envoyez plus rien.',
        'Demandez à la boutique ce qu’il advient de ce qui est arrivé.',
      ],
      paidSettled: ['N’envoyez plus rien.', 'La boutique a marqué ce qui est arrivé comme réglé.'],
    },
    late: (paid) => ({
      heading: 'Votre paiement est arrivé en retard',
      sentences: [
        `Un montant de ${paid} est arrivé après la fin du délai de paiement. La boutique a été prévenue et décide d’accepter le paiement ou de le rembourser.`,
        'N’envoyez plus rien.',
      ],
    }),
    confirmedLate: (paid) => ({
      heading: 'Votre paiement a été confirmé en retard',
      sentences: [
        `Un montant de ${paid} est arrivé à temps, mais le réseau ne l’a confirmé qu’après l’échec du paiement. La boutique a été prévenue et décide d’accepter le paiement ou de le rembourser.`,
        'N’envoyez plus rien.',
      ],
    }),
    mixedLate: (paid) => ({
      heading: 'Votre paiement était en retard',
      sentences: [
        `Une partie de ${paid} est arrivée après la fin du délai de paiement. Le reste est arrivé à temps, mais le réseau ne l’a confirmé qu’après l’échec du paiement. La boutique a été prévenue et décide d’accepter le paiement ou de le rembourser.`,
        'N’envoyez plus rien.',
      ],
    }),
    reviewing: {
      heading: 'La boutique vérifie ce paiement',
      sentences: [
        'Un mouvement à l’adresse de paiement ne correspond à aucun paiement connu. La boutique a été priée de l’examiner.',
        'Le délai est suspendu entre-temps. N’envoyez plus rien.',
      ],
    },
    failed: {
      heading: 'Ce paiement a échoué',
      sentences: [
        'Le réseau n’a pas confirmé le paiement à temps. Contactez la boutique avant de payer à nouveau.',
        'S’il est confirmé malgré tout, la boutique sera prévenue.',
      ],
    },
    failedGone: {
      heading: 'Ce paiement a échoué',
      sentences: [
        'Les fonds de ce paiement ne sont plus sur le réseau. Contactez la boutique avant de payer à nouveau.',
      ],
    },
    failedLater: {
      heading: 'Ce paiement a échoué',
      sentences: [
        'Les fonds envoyés à temps ne sont plus sur le réseau. Contactez la boutique avant de payer à nouveau.',
        'Les fonds arrivés plus tard ne comptent pas comme paiement.',
      ],
    },
    failedRejected: {
      heading: 'Ce paiement a échoué',
      sentences: ['La boutique a refusé ce paiement. Contactez la boutique avant de payer à nouveau.'],
    },
  },
  countOf: (count, total) => `${count} sur ${total}`,
  confirmations: { one: 'confirmation', many: 'confirmations', other: 'confirmations' },
  labels: {
    heading: 'Détails',
    order: 'Commande',
    price: 'Prix',
    amountDue: 'Montant dû',
    rate: 'Cours garanti',
    paidSoFar: 'Payé jusqu’ici',
    paid: 'Payé',
    received: 'Reçu',
    receivedUnconfirmed: 'Reçu, non confirmé',
    stillDue: 'Reste dû',
    paidTooMuch: 'Payé en trop',
    network: 'Réseau',
    confirmations: 'Confirmations',
    created: 'Créé',
    payUntil: 'À payer avant',
    wasOpenUntil: 'Ouvert jusqu’au',
    completed: 'Terminé',
    paymentNumber: 'Numéro de paiement',
  },
  paymentsHeading: 'Paiements',
  explorer: (name) => `Voir sur ${name}`,
  statuses: {
    detected: 'vu, pas encore confirmé',
    confirming: 'en cours de confirmation',
    confirmed: 'confirmé',
    replaced: 'remplacé, ne compte pas',
    gone: 'plus présent sur le réseau',
  },
  simulate: {
    heading: 'Simuler',
    note: 'Seuls les paiements de test ont ces boutons.',
    actions: {
      pay: 'Payer le montant dû',
      pay_partial: 'Payer une partie',
      overpay: 'Payer trop',
      confirm: 'Confirmer',
      double_spend: 'Dépenser deux fois',
      reorg: 'Réorganiser la chaîne',
      advance_clock: 'Laisser passer le délai',
      pay_late: 'Payer en retard',
      drop_balance: 'Réduire le solde',
    },
  },
  problems: {
    notFound: {
      heading: 'Ce paiement n’existe pas',
      sentences: ['Vérifiez que le lien est complet, ou ouvrez à nouveau le paiement depuis la boutique.'],
    },
    unavailable: {
      heading: 'Momentanément indisponible',
      sentences: [
        'Cette page ne peut pas être affichée pour le moment. Les paiements ne sont pas touchés. Veuillez réessayer dans un instant.',
      ],
    },
    broken: {
      heading: 'Un problème est survenu',
      sentences: [
        'C’est notre faute, pas la vôtre, et les paiements ne sont pas touchés. Veuillez réessayer dans un instant.',
      ],
    },
    notNow: {
      heading: 'Ce n’est pas possible',
      sentences: ['L’état actuel du paiement ne le permet pas. Revenez en arrière pour voir où il en est.'],
    },
    notUnderstood: {
      heading: 'Ce n’est pas possible',
      sentences: ['Ce qui a été envoyé n’a pas pu être lu. Revenez en arrière et réessayez.'],
    },
    backToPayment: 'Retour au paiement',
  },
  payProblems: {
    amount: {
      heading: 'Ce montant ne peut pas être payé',
      sentences: ['Vous n’avez rien payé. Veuillez revenir en arrière et choisir un autre montant.'],
    },
    coin: {
      heading: 'Cette monnaie n’est pas acceptée ici',
      sentences: ['Vous n’avez rien payé. Veuillez revenir en arrière et choisir une autre monnaie.'],
    },
    paymentOpen: {
      heading: 'Vous avez un autre paiement ouvert',
      sentences: ['Veuillez d’abord le terminer, ou revenir quand son délai sera écoulé.'],
    },
    tooMany: {
      heading: 'Trop de demandes',
      sentences: ['Trop de demandes viennent d’arriver de votre connexion internet. Veuillez patienter un instant.'],
    },
    tooManyOpen: {
      heading: 'Cette boutique a trop de paiements ouverts',
      sentences: [
        'Vous n’avez rien payé. Trop de paiements à cette boutique sont en attente. Réessayez plus tard, quand certains auront été payés ou auront expiré.',
      ],
    },
    tooManyOpenOfNetwork: {
      heading: 'Trop de paiements sont ouverts depuis votre connexion internet',
      sentences: [
        'Vous n’avez rien payé. Veuillez terminer un paiement ouvert, ou revenir quand certains auront expiré. Si vous partagez votre connexion, essayez-en une autre, comme les données mobiles.',
      ],
    },
    unavailable: {
      heading: 'Momentanément indisponible',
      sentences: ['La page de paiement ne peut pas être ouverte pour le moment. Vous n’avez rien payé.'],
    },
    shopCannot: {
      heading: 'Cette boutique ne peut pas recevoir de paiements pour le moment',
      sentences: [
        'Vous n’avez rien payé, et il n’y a rien à payer ici.',
        'Veuillez contacter la boutique, ou choisir un autre moyen de paiement.',
      ],
    },
    wrongAddress: {
      heading: 'Cette page de paiement ne peut pas être ouverte',
      sentences: [
        'Le lien qui a mené ici n’est pas correct. Vous n’avez rien payé. Veuillez revenir en arrière et prévenir la boutique.',
      ],
    },
    triesAgain: 'Cette page réessaie toute seule.',
    goToOpenPayment: 'Aller au paiement ouvert',
    forShop: { heading: 'Pour la boutique', code: 'Code d’erreur', request: 'Demande' },
  },
  recurring: FRENCH_RECURRING,
  links: FRENCH_LINKS,
  rejectedLink: FRENCH_REJECTED_LINK,
  receipt: FRENCH_RECEIPT,
};
