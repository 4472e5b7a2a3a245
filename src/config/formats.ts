/** The formats of settings: each reads text from the environment and says what it allows. */

export type Format = {
  /** What a person may write, for messages and documentation. */
  allowed: string;
  coerce(value: unknown): unknown;
  accepts(value: unknown): boolean;
};

const switches = new Map([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
]);

export const onOff: Format = {
  allowed: 'true or false',
  coerce: (value) => (typeof value === 'string' ? (switches.get(value.toLowerCase()) ?? value) : value),
  accepts: (value) => typeof value === 'boolean',
};

export const text: Format = {
  allowed: 'text that is not empty',
  coerce: (value) => value,
  accepts: (value) => typeof value === 'string' && value.trim() !== '',
};

export const anyText: Format = {
  allowed: 'text',
  coerce: (value) => value,
  accepts: (value) => typeof value === 'string',
};

/** `most` keeps what is counted from such a number, as times and ports, within what computers can do with it. */
export function wholeNumber(least: number, most = Number.MAX_SAFE_INTEGER): Format {
  const isOpen = most === Number.MAX_SAFE_INTEGER;
  return {
    allowed: `a whole number, ${least} ${isOpen ? 'or more' : `to ${most}`}`,
    coerce: (value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value),
    accepts: (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  };
}

export function oneOf(...choices: readonly string[]): Format {
  return {
    allowed: `one of ${choices.join(', ')}`,
    coerce: (value) => value,
    accepts: (value) => choices.includes(value as string),
  };
}

export const DAY_SECONDS = 86_400;

/** A limit of time, in seconds. Timers that are set much longer end at once. */
export const seconds: Format = {
  ...wholeNumber(1, DAY_SECONDS),
  allowed: `a whole number of seconds, 1 to ${DAY_SECONDS}`,
};
