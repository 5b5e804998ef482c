/** Ids of the service have a prefix and 26 characters; the ends distinguish those of a list. */
const MAX_SHOWN_WHOLE = 24;
const FIRST_CHARACTERS = 10;
const LAST_CHARACTERS = 6;

/** The id as shown in lists, such as `txn_3k7rj0…4hzn0d`; one of up to 24 characters unchanged. */
export function shortIdText(id: string): string {
  return id.length <= MAX_SHOWN_WHOLE ? id : `${id.slice(0, FIRST_CHARACTERS)}…${id.slice(-LAST_CHARACTERS)}`;
}
