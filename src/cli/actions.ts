/** Commands that have commands of their own, such as `audit verify`. */
import { closest } from './closest.js';
import { UsageError } from './command.js';

/** The action of that name. A name that is missing or mistyped is told with the ones there are. */
export function actionNamed<Action>(command: string, actions: Readonly<Record<string, Action>>, name = ''): Action {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action !== undefined) return action;
  const names = Object.keys(actions);
  const all = `Write ${command} ${names.join(', ')}.`;
  if (name === '') throw new UsageError(`The ${command} command is missing`, all);
  const near = closest(name, names);
  const next = near === undefined ? all : `Did you mean 'ai-assist ${command} ${near}'? ${all}`;
  throw new UsageError(`Unknown ${command} command '${name}'`, next);
}
