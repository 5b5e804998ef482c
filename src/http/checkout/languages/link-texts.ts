/** Texts of the page behind the short address of a payment link that no other page has. */
export const ENGLISH_LINKS = {
  /** Heading where the payer chooses the amount. */
  ask: 'Choose the amount',
  /** Label of the field; with the currency code. */
  amount: (currency: string) => `Amount in ${currency}`,
  /** Below the field; amounts are already formatted. */
  between: (min: string, max: string) => `Between ${min} and ${max}`,
  atLeast: (min: string) => `At least ${min}`,
  /** What a coin costs at the rate now: "about 0.0123 LTC". */
  about: (coins: string) => `about ${coins}`,
  /** Marks the coin that the shop recommends. */
  recommended: 'Recommended',
  /** What sending the coin usually costs: "network fee about 0.12 EUR". */
  fee: (amount: string) => `network fee about ${amount}`,
  lowFee: (amount: string) => `network fee usually below ${amount}`,
  /** Opens the rest of a long list of coins. */
  more: (count: string) => `More coins (${count})`,
};

type LinkTexts = typeof ENGLISH_LINKS;

export const GERMAN_LINKS: LinkTexts = {
  ask: 'Wählen Sie den Betrag',
  amount: (currency) => `Betrag in ${currency}`,
  between: (min, max) => `Zwischen ${min} und ${max}`,
  atLeast: (min) => `Mindestens ${min}`,
  about: (coins) => `etwa ${coins}`,
  recommended: 'Empfohlen',
  fee: (amount) => `Netzwerkgebühr etwa ${amount}`,
  lowFee: (amount) => `Netzwerkgebühr meist unter ${amount}`,
  more: (count) => `Weitere Coins (${count})`,
};

export const SPANISH_LINKS: LinkTexts = {
  ask: 'Elija el importe',
  amount: (currency) => `Importe en ${currency}`,
  between: (min, max) => `Entre ${min} y ${max}`,
  atLeast: (min) => `Como mínimo ${min}`,
  about: (coins) => `unos ${coins}`,
  recommended: 'Recomendada',
  fee: (amount) => `comisión de red: unos ${amount}`,
  lowFee: (amount) => `comisión de red: normalmente menos de ${amount}`,
  more: (count) => `Más monedas (${count})`,
};

export const FRENCH_LINKS: LinkTexts = {
  ask: 'Choisissez le montant',
  amount: (currency) => `Montant en ${currency}`,
  between: (min, max) => `Entre ${min} et ${max}`,
  atLeast: (min) => `Au moins ${min}`,
  about: (coins) => `environ ${coins}`,
  recommended: 'Recommandée',
  fee: (amount) => `frais de réseau\u00a0: environ ${amount}`,
  lowFee: (amount) => `frais de réseau\u00a0: en général moins de ${amount}`,
  more: (count) => `Autres cryptomonnaies (${count})`,
};

export const ITALIAN_LINKS: LinkTexts = {
  ask: 'Scelga l’importo',
  amount: (currency) => `Importo in ${currency}`,
  between: (min, max) => `Tra ${min} e ${max}`,
  atLeast: (min) => `Almeno ${min}`,
  about: (coins) => `circa ${coins}`,
  recommended: 'Consigliata',
  fee: (amount) => `commissione di rete: circa ${amount}`,
  lowFee: (amount) => `commissione di rete: di solito meno di ${amount}`,
  more: (count) => `Altre monete (${count})`,
};

export const POLISH_LINKS: LinkTexts = {
  ask: 'Wybierz kwotę',
  amount: (currency) => `Kwota w ${currency}`,
  between: (min, max) => `Od ${min} do ${max}`,
  atLeast: (min) => `Co najmniej ${min}`,
  about: (coins) => `około ${coins}`,
  recommended: 'Polecana',
  fee: (amount) => `opłata sieciowa: około ${amount}`,
  lowFee: (amount) => `opłata sieciowa: zwykle poniżej ${amount}`,
  more: (count) => `Więcej kryptowalut (${count})`,
};

export const PORTUGUESE_LINKS: LinkTexts = {
  ask: 'Escolha o valor',
  amount: (currency) => `Valor em ${currency}`,
  between: (min, max) => `Entre ${min} e ${max}`,
  atLeast: (min) => `No mínimo ${min}`,
  about: (coins) => `cerca de ${coins}`,
  recommended: 'Recomendada',
  fee: (amount) => `taxa de rede: cerca de ${amount}`,
  lowFee: (amount) => `taxa de rede: em geral menos de ${amount}`,
  more: (count) => `Mais moedas (${count})`,
};
