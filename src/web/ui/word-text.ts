/** `1 payment`, `2,000 payments`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

export function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** `once`, `3 times`. */
export function timesText(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
