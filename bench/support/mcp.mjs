// @ts-check
/** Server processes, and clients that cost as little as possible: messages are written and read by hand. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';

const mainFile = path.resolve(import.meta.dirname, '../../dist/cli/main.cjs');
const echoFile = path.resolve(import.meta.dirname, 'echo.child.mjs');
const VERSION = '2026-07-28';

/** @typedef {{ call(tool: string, input: object): Promise<any>, close(): void }} Client */
/** @typedef {{ url: string, pid: number, stop(): Promise<void> }} Served */

/** @param {NodeJS.ProcessEnv} env @returns {Promise<Served>} */
export const serveLibrary = (env) => start([mainFile, 'serve', '--port', '0'], env);
/** @returns {Promise<Served>} */
export const serveEcho = () => start([echoFile], process.env);

/** @param {string[]} args @param {NodeJS.ProcessEnv} env @returns {Promise<Served>} */
function start(args, env) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return new Promise((resolve, reject) => {
    let said = '';
    child.once('exit', () => reject(new Error(said)));
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
      const [url] = /http:\S+/.exec(said) ?? [];
      const stop = async () => {
        child.kill();
        await ended;
      };
      if (url) resolve({ url, pid: /** @type {number} */ (child.pid), stop });
    });
  });
}

/** Memory of a process in MB, as Linux counts it. @param {number} pid */
export function residentMegabytes(pid) {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

const who = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** @param {number} id @param {string} name @param {object} input */
const callMessage = (id, name, input) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input, _meta: who } });

/** A client of the newer era with one connection. @param {string} url @returns {Client} */
export function modernClient(url) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  let id = 0;
  return {
    call: async (tool, input) => {
      id++;
      const headers = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': tool };
      return resultOf((await post(url, agent, callMessage(id, tool, input), headers)).text);
    },
    close: () => agent.destroy(),
  };
}

/** A client of the older era, with a session. @param {string} url @returns {Promise<Client & { end(): Promise<void> }>} */
export async function legacyClient(url) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } };
  const begun = await post(url, agent, JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }), {});
  const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) };
  let id = 0;
  return {
    call: async (tool, input) => {
      id++;
      const message = JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: tool, arguments: input },
      });
      return resultOf((await post(url, agent, message, session)).text);
    },
    end: async () => void (await send(url, agent, 'DELETE', '', session)),
    close: () => agent.destroy(),
  };
}

/** A server process of its own on standard input and output. @param {'library' | 'echo'} kind @param {NodeJS.ProcessEnv} env @returns {Client} */
export function stdioClient(kind, env) {
  const args = kind === 'echo' ? [echoFile, 'stdio'] : [mainFile, 'mcp'];
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  /** @type {Map<number, (line: string) => void>} */
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const id = JSON.parse(line).id;
    waiting.get(id)?.(line);
    waiting.delete(id);
  });
  let id = 0;
  return {
    call: (tool, input) => {
      id++;
      const answered = new Promise((/** @type {(line: string) => void} */ resolve) => waiting.set(id, resolve));
      child.stdin.write(`${callMessage(id, tool, input)}\n`);
      return answered.then(resultOf);
    },
    close: () => void child.stdin.end(),
  };
}

/** @param {string} text */
function resultOf(text) {
  const message = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text);
  if (message.error || message.result?.isError) throw new Error(text.slice(0, 500));
  return message.result.structuredContent;
}

/** @param {string} url @param {http.Agent} agent @param {string} body @param {Record<string, string>} headers */
const post = (url, agent, body, headers) => send(url, agent, 'POST', body, headers);

/** @param {string} url @param {http.Agent} agent @param {string} method @param {string} body @param {Record<string, string>} more @returns {Promise<{ text: string, headers: http.IncomingHttpHeaders }>} */
function send(url, agent, method, body, more) {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...more };
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.on('end', () => {
        if (response.statusCode !== 200) reject(new Error(`${response.statusCode}: ${text}`));
        else resolve({ text, headers: response.headers });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
