/** `1 payment`, `2,000 payments`. */
export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

export function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** `once`, `3 times`. */
export function timesText(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
