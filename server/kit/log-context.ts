import { AsyncLocalStorage } from 'node:async_hooks';

/** What a log line belongs to: a request by its id, or a job by its name. */
export type LogContext = { reqId: string } | { job: string };

const current = new AsyncLocalStorage<LogContext>();

/** Runs the work; each log line that it causes carries the context, also where no request is at hand. */
export const withLogContext = <T>(context: LogContext, work: () => T): T => current.run(context, work);

/** The context of the running work; empty outside of any. */
export const logContext = (): Partial<LogContext> => current.getStore() ?? {};
