/** Why a link cannot be requested here. */
export function NoMails() {
  return <p role="status">This service sends no emails; ask its operator.</p>;
}
