/** Heading of a screen and the sentences under it. Plain text; the templates escape it. */
export interface ScreenText {
  readonly heading: string;
  readonly sentences: readonly string[];
}
