import { afterAll, expect, test } from 'vitest';
import { openTestApp } from '#testing/app/test-app.ts';

const t = await openTestApp({
  env: {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    FINIX_USERNAME: 'US1',
    FINIX_PASSWORD: 'finix-password',
    FINIX_PROCESSOR: 'DUMMY_V1',
    FINIX_APPLICATION: 'AP1',
  },
});
afterAll(() => t.close());

const answerOf = async (url: string) => {
  const { headers, body, statusCode } = await t.app.inject({ url });
  return { status: statusCode, policy: String(headers['content-security-policy']), body };
};
/** The hosts that a policy opens besides this server. */
const hostsIn = (policy: string) => new Set(policy.match(/https?:\/\/[^\s;]+/g));

test('the pages with the fields of Stripe and Finix are opened for their vendor, and for nobody else', async () => {
  const stripe = await answerOf('/card/page');
  expect([stripe.status, hostsIn(stripe.policy)]).toEqual([
    200,
    new Set([
      'https://js.stripe.com',
      'https://*.js.stripe.com',
      'https://api.stripe.com',
      'https://hooks.stripe.com',
      'https://*.stripe.com',
    ]),
  ]);
  const finix = await answerOf('/charges/card?language=en&amount=2500');
  expect([finix.status, hostsIn(finix.policy)]).toEqual([
    200,
    new Set(['https://js.finix.com', 'https://*.finix.com']),
  ]);
  for (const { policy, body } of [stripe, finix]) {
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).toContain("form-action 'none'");
    expect(policy).not.toContain('unsafe');
    // Scripts come from files and the vendor only.
    expect(body).not.toMatch(/<script>(?!\s*<\/script>)|\son\w+=/);
    expect(body).not.toMatch(/sk_test_1|finix-password/);
  }
});

test('no other page is opened for another host', async () => {
  const opened = new Set<string>();
  const pages = t.routes.filter(({ method, url }) => method === 'GET' && !url.startsWith('/api'));
  expect(pages.length).toBeGreaterThan(10);
  for (const { url } of [...pages, { url: '/' }, { url: '/payments' }, { url: '/apply' }, { url: '/c/2100000001' }]) {
    const { policy } = await answerOf(`${url.replace(/:\w+|\*/g, 'x')}?language=en&amount=2500`);
    if (hostsIn(policy).size > 0) opened.add(url);
  }
  expect(opened).toEqual(new Set(['/card/page', '/charges/card']));
});
