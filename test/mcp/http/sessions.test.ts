/** The life of a session of the 2025 protocol. */
import { expect, test } from 'vitest';
import { legacySessions } from '../../../src/mcp/http/legacy-sessions.js';
import type { Principal } from '../../../src/mcp/http/principals.js';
import { callOf, initialize } from '../../support/http-mcp.js';
import { scratchWorkspace } from '../../support/scratch.js';

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function sessionsWith(limits: { idleMs?: number; most?: number; mostOfOne?: number }) {
  let now = 0;
  const sessions = legacySessions({ idleMs: 1000, most: 100, mostOfOne: 100, ...limits }, () => now);
  const session = (await scratchWorkspace()).session();
  const as = (credential: string): Principal => ({ credential, narrowing: '', session, stillHolds: async () => true });
  const request = (id?: string, method = 'POST') =>
    new Request('http://server/mcp', { method, headers: { ...headers, ...(id && { 'mcp-session-id': id }) } });
  return {
    sweepAt(time: number) {
      now = time;
      sessions.sweep();
    },
    async begin(who: string, time = now) {
      now = time;
      const response = await sessions.initialize(as(who), request(), initialize);
      await response.text();
      return { status: response.status, id: response.headers.get('mcp-session-id') as string };
    },
    async call(who: string, id: string, closed: Promise<void> = Promise.resolve()) {
      const response = await sessions.request(as(who), id, request(id), callOf('list_folders'), closed);
      await response.text();
      return response.status;
    },
  };
}

test('M8 a session that was silent for too long is gone, one that was used is not', async () => {
  const sessions = await sessionsWith({ idleMs: 1000 });
  const [silent, used] = [await sessions.begin('ada', 0), await sessions.begin('ada', 0)];
  sessions.sweepAt(900);
  expect(await sessions.call('ada', used.id)).toBe(200);
  sessions.sweepAt(1500);
  expect([await sessions.call('ada', silent.id), await sessions.call('ada', used.id)]).toEqual([404, 200]);
});

test('M8 a session with an open answer is not silent', async () => {
  const sessions = await sessionsWith({ idleMs: 1000 });
  const { id } = await sessions.begin('ada', 0);
  let close = () => {};
  await sessions.call('ada', id, new Promise((resolve) => (close = resolve)));
  sessions.sweepAt(50_000);
  expect(await sessions.call('ada', id)).toBe(200);
  close();
});

test('M7 M8 one client that opens too many loses its own oldest, and no one else’s', async () => {
  const sessions = await sessionsWith({ mostOfOne: 3, most: 100 });
  const ben = await sessions.begin('ben', 0);
  const ada = [];
  for (let time = 1; time <= 5; time++) ada.push(await sessions.begin('ada', time));
  const statuses = await Promise.all(ada.map(({ id }) => sessions.call('ada', id)));
  expect(statuses).toEqual([404, 404, 200, 200, 200]);
  expect(await sessions.call('ben', ben.id)).toBe(200);
});

test('M8 where all that are open are in use, a new one is refused and not another ended', async () => {
  const sessions = await sessionsWith({ most: 1 });
  const { id } = await sessions.begin('ada');
  let close = () => {};
  await sessions.call('ada', id, new Promise((resolve) => (close = resolve)));
  expect((await sessions.begin('ben')).status).toBe(503);
  close();
  await Promise.resolve();
  expect((await sessions.begin('ben')).status).toBe(200);
});
