/** A database that is opened by its first use. A failure to open is reported each time, and tried again. */
import type { Database } from './sql.js';

export type LazyDatabase = Database & { open(): Promise<Database> };

export function lazyDatabase(location: string, connect: () => Promise<Database>): LazyDatabase {
  let opening: Promise<Database> | undefined;
  const open = () => {
    opening ??= connect().catch((thrown: unknown) => {
      opening = undefined;
      throw thrown;
    });
    return opening;
  };
  return {
    location,
    open,
    read: async (work) => (await open()).read(work),
    write: async (work) => (await open()).write(work),
    rehearse: async (work) => (await open()).rehearse(work),
    close: async () => (await opening)?.close(),
  };
}
