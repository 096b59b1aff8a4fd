import type { onRequestAsyncHookHandler } from 'fastify';
import { sessionTokenOf } from './request-context.ts';

/** Waits for a visitor's turn before doing anything else for the request. */
export const visitorPace: onRequestAsyncHookHandler = async (req) => {
  const { token } = req.params as { token?: string };
  await req.server.services.visitorPace.wait(req.ip, token ?? sessionTokenOf(req));
};

/** Waits for the turn of a write that needs no session, before its body is read. */
export const publicWritePace: onRequestAsyncHookHandler = async (req) => {
  const { 'content-length': length } = req.headers;
  await req.server.services.visitorPace.waitForBody(req.ip, length === undefined ? Infinity : Number(length));
};
