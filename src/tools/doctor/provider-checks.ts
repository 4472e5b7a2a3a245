/** Checks of settings, of what embeds texts, and of the other programs that the configuration names. */
import { asFailure } from '../../errors.js';
import type { ToolCall } from '../call.js';
import { type Finding, ok, problem } from './check.js';

/** Settings that are not valid stop every call before it begins, so there is nothing left to find here. */
export const settingsAreValid = async (): Promise<Finding> => ok('Every setting is valid.');

/** One word is embedded: a model that is missing, or a server that does not answer, is found in no other way. */
export async function meaningIsFound({ embedding, signal }: ToolCall): Promise<Finding> {
  const works = await embedding.probe(signal);
  return ok(works ? 'Documents can be found by meaning.' : 'Documents are found by words only, as the settings say.');
}

export async function providersAnswer({ providers }: ToolCall): Promise<Finding[]> {
  if (providers.length === 0) return [ok('The library keeps everything itself: no other program is needed.')];
  const findings: Finding[] = [];
  for (const { name, keeps, probe } of providers) {
    try {
      await probe();
      findings.push(ok(`${name} answers. It keeps the ${keeps}.`));
    } catch (thrown) {
      const { message, instruction } = asFailure(thrown);
      findings.push(problem(`${name}, which keeps the ${keeps}, does not answer: ${message}`, instruction));
    }
  }
  return findings;
}
