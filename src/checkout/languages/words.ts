/** What a screen says first: a heading and sentences under it. Plain text; the templates escape it. */
export interface Words {
  readonly heading: string;
  readonly sentences: readonly string[];
}
