/** Once a day, after a change was answered: expired keys and old history are dropped. */
import { dropHistory } from '../library/tree/retention.js';
import { dropExpiredKeys } from '../storage/idempotency-keys.js';
import { readSetting, writeSetting } from '../storage/settings.js';
import type { Database, Sql } from '../storage/sql.js';

const DAY = 86_400_000;
const LAST_TIME = 'upkeep.at';

export type Upkeep = {
  /** A change was made: a good time to look whether upkeep is due. It does not hold up the caller. */
  afterChange(now: number): void;
  /** Waits for upkeep that is under way. */
  settle(): Promise<void>;
};

export function upkeep(database: Database, historyDays: number): Upkeep {
  let looked = 0;
  let running: Promise<void> = Promise.resolve();

  const tidy = async (now: number) => {
    const last = await database.read((sql) => readSetting(sql, LAST_TIME));
    if (now - Number(last ?? 0) >= DAY) await database.write((sql) => dropOld(sql, now, historyDays));
  };
  return {
    afterChange(now) {
      if (now - looked < DAY) return;
      looked = now;
      running = tidy(now).catch((error: Error) => process.emitWarning(`Upkeep failed: ${error.message}`));
    },
    settle: () => running,
  };
}

async function dropOld(sql: Sql, now: number, historyDays: number): Promise<void> {
  await dropExpiredKeys(sql, now);
  if (historyDays > 0) await dropHistory(sql, now - historyDays * DAY);
  await writeSetting(sql, LAST_TIME, String(now));
}
