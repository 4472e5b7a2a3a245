/** A real HTTP client for tests. It waits for nothing between its tries. */
import { expect, onTestFinished } from 'vitest';
import { type GetOptions, type HttpPorts, type HttpSettings, openHttp } from '../../src/context/http/fetch.js';
import { systemLookup } from '../../src/context/http/guarded-dispatcher.js';
import type { Failure } from '../../src/errors.js';

/** A client that notes how long it would have slept, and does not sleep. */
export function httpClient(settings: Partial<HttpSettings> = {}, more: Partial<HttpPorts> = {}) {
  const slept: number[] = [];
  const ports: HttpPorts = {
    now: () => Date.parse('2026-01-14T12:00:00Z'),
    random: () => 1,
    sleep: async (ms) => void slept.push(ms),
    lookup: systemLookup,
    ...more,
  };
  const http = openHttp({ timeoutMs: 60_000, allowHosts: [], concurrency: 4, userAgent: 'test/1', ...settings }, ports);
  onTestFinished(() => http.close());
  const signal = new AbortController().signal;
  const get = (url: string, options: Partial<GetOptions> = {}) =>
    http.get(url, { maxBytes: 1_000_000, signal, trusted: true, ...options });
  const text = async (url: string, options: Partial<GetOptions> = {}) => {
    const got = await get(url, options);
    return got.status === 200 ? Buffer.from(got.bytes).toString() : 'not modified';
  };
  const failure = (url: string, options: Partial<GetOptions> = {}) =>
    get(url, options).then(
      () => expect.fail('It should have failed'),
      (thrown: Failure) => thrown,
    );
  return { http, get, text, failure, slept, signal };
}
