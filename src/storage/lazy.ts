/** A database that is opened by its first use. A failure to open is reported each time, and tried again. */
import type { Database } from './sql.js';

export type LazyDatabase = Database & { open(): Promise<Database> };

export function lazyDatabase(location: string, connect: () => Promise<Database>): LazyDatabase {
  let opening: Promise<Database> | undefined;
  let closed = false;
  const open = async () => {
    if (closed) throw new Error(`The database '${location}' was closed.`);
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
    close: async () => {
      closed = true;
      await (await opening)?.close();
    },
  };
}
