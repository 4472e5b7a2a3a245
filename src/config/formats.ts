/** The formats of settings: each reads text from the environment and says what it allows. */

export type Format = {
  name: string;
  /** What a person may write, for messages and documentation. */
  allowed: string;
  coerce(value: unknown): unknown;
  accepts(value: unknown): boolean;
};

const switches: Record<string, boolean> = {
  true: true,
  '1': true,
  yes: true,
  on: true,
  false: false,
  '0': false,
  no: false,
  off: false,
};

export const onOff: Format = {
  name: 'on-off',
  allowed: 'true or false',
  coerce: (value) => (typeof value === 'string' ? (switches[value.toLowerCase()] ?? value) : value),
  accepts: (value) => typeof value === 'boolean',
};

export const text: Format = {
  name: 'text',
  allowed: 'text that is not empty',
  coerce: (value) => value,
  accepts: (value) => typeof value === 'string' && value.trim() !== '',
};

export function wholeNumber(least: number): Format {
  return {
    name: `whole-number-from-${least}`,
    allowed: `a whole number, ${least} or more`,
    coerce: (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    accepts: (value) => Number.isSafeInteger(value) && (value as number) >= least,
  };
}

export function oneOf(...choices: readonly string[]): Format {
  return {
    name: `one-of-${choices.join('-')}`,
    allowed: `one of ${choices.join(', ')}`,
    coerce: (value) => value,
    accepts: (value) => choices.includes(value as string),
  };
}
