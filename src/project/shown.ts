/** Text from elsewhere, made fit for a message: on one line, short, and unable to steer a terminal. */

/** Control characters, line separators, and the marks that turn the direction of text. */
export const STEERING = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

const everySteering = new RegExp(STEERING.source, 'gu');

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** At most `most` characters of a text, with escapes for what must not reach a reader as it is. */
export function shown(text: string, most = 200): string {
  const safe = text.slice(0, most + 1).replace(everySteering, escaped);
  // Half of a pair stands for no character, and some readers choke on it.
  return (safe.length > most ? `${safe.slice(0, most - 1)}…` : safe).toWellFormed();
}
