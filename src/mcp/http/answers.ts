/** Answers that the server gives itself, before the protocol is spoken: JSON-RPC errors that say the next move. */

const jsonRpcCodes: Record<number, number> = { 400: -32600, 404: -32001 };

/** A refusal as clients of the protocol read it. */
export function refuse(status: number, message: string, headers: Record<string, string> = {}, code?: number): Response {
  const error = { code: code ?? jsonRpcCodes[status] ?? -32000, message };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status, headers });
}

export const notJson = (reason: string) =>
  refuse(400, `Parse error: ${reason}. Send one JSON-RPC message.`, {}, -32700);

export const noSession = () =>
  refuse(404, 'Session not found: it has ended, or it is not yours. Begin a new one with initialize.');
