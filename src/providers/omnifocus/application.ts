/**
 * OmniFocus as one program that answers one script at a time. When a script was killed, OmniFocus may
 * still be held up by it, and every further script would wait behind it: a circuit then lets only a
 * cheap probe through, until one is answered.
 */
import os from 'node:os';
import path from 'node:path';
import { circuit } from './circuit.js';
import { EVENT_TIMED_OUT, stillBlocked, transportFailure, unreadable } from './failures.js';
import { type RunOptions, runOsascript, type ScriptEnd } from './osascript.js';
import { PROBE_ANSWER, probeScript } from './script.js';

export type ScriptRun = { script: string; isChange: boolean; signal?: AbortSignal | undefined };

export type OmniFocus = {
  /** The answer of a script, once all before it are done. */
  ask(run: ScriptRun): Promise<string>;
  /** Whether OmniFocus answers at all; throws the reason if not. */
  probe(): Promise<void>;
};

/** `probeMs` is the limit for a probe. */
export type OmniFocusOptions = RunOptions & { probeMs?: number };

export function openOmniFocus({ env, timeoutMs, probeMs = 10_000 }: OmniFocusOptions): OmniFocus {
  const inTurn = queue();
  const blocked = circuit(path.join(env.TMPDIR || os.tmpdir(), 'ai-assist-omnifocus-blocked'));
  let failedProbes = 0;

  const run = async (script: string, limitMs: number): Promise<ScriptEnd> => {
    const end = await runOsascript(script, { env, timeoutMs: limitMs });
    if (end.kind === 'killed') blocked.open();
    return end;
  };

  const probe = async (): Promise<void> => {
    const wasBlocked = blocked.isOpen();
    const end = await run(probeScript, probeMs);
    if (end.kind === 'answered') {
      if (end.text !== PROBE_ANSWER) throw unreadable('an answer that cannot be read', false);
      blocked.close();
      return;
    }
    failedProbes++;
    const silent = end.kind === 'killed' || (end.kind === 'failed' && end.code === EVENT_TIMED_OUT);
    throw wasBlocked && silent ? stillBlocked() : transportFailure(end, false, probeMs / 1000);
  };

  const answerTo = async ({ script, isChange, signal }: ScriptRun): Promise<string> => {
    if (blocked.isOpen()) await probe();
    // Only until here: a script that was sent is not taken back by killing it.
    signal?.throwIfAborted();
    let end = await run(script, timeoutMs);
    // A change is never sent twice. A read is, once, but not into a program that answers nothing at all.
    if (!isChange && end.kind === 'failed' && end.code === EVENT_TIMED_OUT) {
      await probe();
      end = await run(script, timeoutMs);
    }
    if (end.kind === 'answered') return end.text;
    throw transportFailure(end, isChange, timeoutMs / 1000);
  };

  return {
    ask: (wanted) => {
      const failedBefore = failedProbes;
      return inTurn(async () => {
        wanted.signal?.throwIfAborted();
        // Those who waited together are refused together: a probe for each would take for ever.
        if (failedProbes > failedBefore && blocked.isOpen()) throw stillBlocked();
        return answerTo(wanted);
      });
    },
    probe: () => inTurn(probe),
  };
}

/** One after the other, in the order of asking. */
function queue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => {});
    return mine;
  };
}
