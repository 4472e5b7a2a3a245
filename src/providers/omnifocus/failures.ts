/** What went wrong on the way to OmniFocus, and what a person can do about it. */
import { Failure, plainFailure } from '../../errors.js';
import type { ScriptEnd } from './osascript.js';

/** Numbers of Apple events. */
export const EVENT_TIMED_OUT = -1712;
const NOT_PERMITTED = -1743;
const NOT_RUNNING = -600;
const CONNECTION_LOST = -609;
const NOT_UNDERSTOOD = -1708;
const SCRIPT_ERROR = -2700;

const LOOK_FIRST =
  'Do not repeat the call. Use list_folders to see whether the change happened, and call again only if it did not.';

/** A change that was not answered is not a change that did not happen. */
function uncertain(message: string, redacted = message): Failure {
  const tail = ': the change may have happened, or may still happen';
  return new Failure(
    'internal',
    { message: message + tail, redacted: redacted + tail },
    { mayHaveHappened: true },
    LOOK_FIRST,
  );
}

type Unanswered = Exclude<ScriptEnd, { kind: 'answered' }>;

/** The failure for a script that gave no answer. `seconds` is the limit it had. */
export function transportFailure(end: Unanswered, isChange: boolean, seconds: number): Failure {
  if (end.kind === 'not_started') return notStarted(end.reason);
  if (end.kind === 'killed') return killed(end.reason, isChange, seconds);
  const known = certain(end.code, end.message);
  if (known) return known;
  if (end.code === EVENT_TIMED_OUT) return unanswered('OmniFocus did not answer in time (error -1712)', isChange, BUSY);
  if (end.code === CONNECTION_LOST)
    return unanswered('OmniFocus quit or crashed meanwhile (error -609)', isChange, OPEN);
  return unforeseen(end.code, end.message || 'no reason given', isChange);
}

/** The words may quote the caller, so the log keeps the number only. */
function unforeseen(code: number | undefined, reason: string, isChange: boolean): Failure {
  const message = `OmniFocus reported an error: ${reason}`;
  const redacted = `OmniFocus reported error ${code ?? 'without a number'}`;
  if (isChange) return uncertain(message, redacted);
  return new Failure('internal', { message, redacted }).advise(
    'Run ai-assist doctor to see whether OmniFocus can be reached.',
  );
}

const BUSY = 'OmniFocus is busy, or shows a dialog: look at it, then call again.';
const OPEN = 'Open OmniFocus, then call again.';

const plain = (message: string, instruction: string): Failure => plainFailure('internal', message).advise(instruction);

const unanswered = (message: string, isChange: boolean, instruction: string): Failure =>
  isChange ? uncertain(message) : plain(message, instruction);

/** Errors after which it is certain that nothing changed. */
function certain(code: number | undefined, message: string): Failure | undefined {
  if (code === NOT_PERMITTED) {
    return plainFailure('forbidden', 'macOS does not permit this program to control OmniFocus (error -1743)').advise(
      'In System Settings, Privacy & Security, Automation: allow the program that runs ai-assist (a terminal, an editor) to control OmniFocus. Then call again.',
    );
  }
  if (code === NOT_RUNNING) return plain('OmniFocus is not running (error -600)', OPEN);
  if (code === NOT_UNDERSTOOD) {
    return plain(
      'This OmniFocus does not understand Omni Automation scripts (error -1708)',
      'Update OmniFocus to version 3.8 or newer, then call again.',
    );
  }
  if (code === SCRIPT_ERROR && /application can.t be found/i.test(message)) {
    return plain('There is no OmniFocus on this Mac', 'Install OmniFocus and open it once, then call again.');
  }
  return undefined;
}

function notStarted(reason: string): Failure {
  if (reason !== 'ENOENT') {
    return plain(
      `osascript could not be started (${reason})`,
      reason === 'EACCES'
        ? 'Make sure that osascript may be run by this user.'
        : 'The system starts no further program: end some, then call again.',
    );
  }
  return plain(
    'There is no osascript here: OmniFocus can be reached on a Mac only',
    'Run ai-assist on the Mac that has OmniFocus, or set providers.folders (AI_ASSIST_FOLDERS_PROVIDER) to library.',
  );
}

function killed(reason: 'timeout' | 'signal', isChange: boolean, seconds: number): Failure {
  if (reason === 'signal') return unanswered('osascript was killed before OmniFocus answered', isChange, BUSY);
  return unanswered(`OmniFocus did not answer within ${seconds} seconds`, isChange, BUSY);
}

/** While the circuit is open. Nothing was sent, so nothing happened. */
export const stillBlocked = (): Failure =>
  plain(
    'OmniFocus has not answered since a script was broken off, and nothing more was sent to it',
    'Look at OmniFocus: close its dialogs, or quit and open it again. Then call again.',
  );

/** For an answer that cannot be read. */
export const unreadable = (what: string, isChange: boolean): Failure =>
  unanswered(`OmniFocus gave ${what}`, isChange, 'Call again once. If it happens again, run ai-assist doctor.');

/** For an error inside the program. */
export function programError(error: string, changing: boolean): Failure {
  const redacted = 'OmniFocus could not carry out the call';
  const message = `${redacted}: ${error.slice(0, 500)}`;
  return changing ? uncertain(message, redacted) : new Failure('internal', { message, redacted });
}
