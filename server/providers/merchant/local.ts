import type { Services } from '#server/context.ts';
import { readCallback } from './local-callbacks.ts';
import { createForm, createLink, endLinks, readForm } from './local-forms.ts';
import type { Merchant } from './port.ts';

/**
 * The local payment provider: keeps forms as a vendor would, outside every office (local-forms.ts). Its hosted form is local-routes.ts, its
 * callbacks local-callbacks.ts.
 */
export function localMerchant(services: Pick<Services, 'db' | 'env' | 'id' | 'now'>): Merchant {
  return {
    name: 'local',
    createForm: (ask) => createForm(services, ask),
    createLink: (formId, ask) => createLink(services, formId, ask),
    endLinks: (formId) => endLinks(services, formId),
    readForm: (formId) => readForm(services, formId),
    readCallback: (call) => readCallback(services, call),
  };
}
