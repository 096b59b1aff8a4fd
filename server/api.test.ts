import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ambuPatients, smsCheckin } from '#contract/index.ts';
import type { Move } from '#contract/queue.ts';
import { allEndpoints, openapi } from '#contract/openapi.ts';
import { signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import { examples } from '#testing/fixtures/endpoint-examples.ts';
import { casesOf, type Case, type Operation, type Schema } from '#testing/fixtures/generated-requests.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { approveAtOnce } from '#db/seed/copays.ts';
import { askDueSurveys } from '#server/features/ambulatory/survey-job.ts';
import { activePatient } from '#testing/fixtures/episodes.ts';
import { arrivalAnswers } from '#testing/fixtures/forms.ts';
import { makeCard, requestOn } from '#testing/fixtures/payments.ts';
import { addText } from '#testing/fixtures/texts.ts';
import { fillOffice, type OfficeIds } from '#testing/app/two-offices.ts';

// The run on the older PostgreSQL is only about the database.
const casesPerRoute = process.env.TEST_POSTGRES === '15' ? 40 : 200;
const atOnce = 16;

const testApp = await openTestApp();
afterAll(() => testApp.close());
let office: TestOffice & { ids: OfficeIds };
beforeAll(async () => void (office = await fillOffice(testApp, 'MAPLE', '2100070123')));

const idsOfVisits: readonly string[] = ['visitId', 'userCode', 'dateTime', 'token'];

/** The ids that a call's examples contain. */
function idsUsed(name: string): Set<string> {
  const used = new Set<string>();
  const observed = new Proxy(office.ids, {
    get(ids, key, receiver): unknown {
      if (typeof key === 'string') used.add(key);
      return Reflect.get(ids, key, receiver);
    },
  });
  examples[name]?.ways(observed);
  return used;
}

/** The office's ids; for a call about visits or texts, with some in several states, so that it can succeed more than once. */
async function freshIds(name: string): Promise<OfficeIds[]> {
  const used = idsUsed(name);
  const made: OfficeIds[] = [office.ids, office.ids];
  if (idsOfVisits.some((id) => used.has(id))) made.push(...(await freshVisits()));
  if (used.has('textId')) made.push(...(await freshTexts()));
  if (used.has('episodeToken') || used.has('callbackId')) made.push(await freshEpisode(), await freshEpisode());
  if (chargeCards.has(name)) made.push(await payingIds());
  return made;
}

/** The office, approved by the payment provider, with a requested payment and a card to pay it with. */
async function payingIds(): Promise<OfficeIds> {
  await testApp.owner.deleteFrom('merchantApplication').where('officeId', '=', office.id).execute();
  await approveAtOnce(testApp.services, office.id);
  const { chargeId: requestedId, token: provedToken } = await requestOn(testApp, office);
  return { ...office.ids, requestedId, provedToken, card: await makeCard(testApp) };
}

/** A patient whose survey of the day has answers. */
async function freshEpisode(): Promise<OfficeIds> {
  const patient = await activePatient(testApp, { office, episodeDate: '2026-02-28' });
  await askDueSurveys(testApp.services);
  await patient.callMe();
  const { body: file } = await testApp.call(ambuPatients.readAmbuPatient, { params: patient.key }, { as: office });
  const callbackId = file.callbacks[0]?.id ?? '';
  const surveyId = await patient.surveyOfTheDay();
  await patient.save(surveyId, { definitionId: office.ids.definitionId, answers: arrivalAnswers });
  return {
    ...office.ids,
    episodeId: patient.userId,
    episodeCode: patient.userCode,
    episodeToken: patient.token,
    callbackId,
    surveyId,
  };
}

async function freshVisits(): Promise<OfficeIds[]> {
  const states: Move[][] = [[], [], [], ['invite'], ['invite'], ['invite', 'onMyWay'], ['invite', 'finish']];
  const made: OfficeIds[] = [];
  for (const moves of states) {
    const {
      id: visitId,
      patientUserCode: userCode,
      createdAt: dateTime,
      token,
    } = await testApp.visit({ office, moves });
    made.push({ ...office.ids, visitId, userCode, dateTime, token });
  }
  for (const hasArrived of [false, false, true, true]) {
    const phone = `+1303555${String(expectedPhones++).padStart(4, '0')}`;
    const { body } = await testApp.call(smsCheckin.addCheckin, { body: { phone } }, { as: office });
    const text = (await testApp.texts(office)).find(({ visitId }) => visitId === body._id);
    // Arrived without names.
    if (hasArrived)
      await testApp.call(smsCheckin.updateCheckin, { body: { id: body._id, status: 'WAIT' } }, { as: office });
    made.push({ ...office.ids, visitId: body._id, token: /[\w-]+$/.exec(text?.sent ?? '')?.[0] ?? '' });
  }
  return made;
}

async function freshTexts(): Promise<OfficeIds[]> {
  const made: OfficeIds[] = [];
  for (const [state, errorClass] of textStates) {
    const textId = await addText(testApp, {
      office,
      sendBy: 'Dana',
      sendAt: new Date(testApp.now().getTime() + 3_600_000),
    });
    await testApp.inOffice(office, (tx) =>
      tx
        .updateTable('text')
        .set({ state, errorClass })
        .where('officeId', '=', office.id)
        .where('id', '=', textId)
        .execute(),
    );
    made.push({ ...office.ids, textId });
  }
  return made;
}
/** Texts that can be changed and canceled, released, and sent again. */
const textStates = [
  ['queued', null],
  ['queued', null],
  ['held', null],
  ['held', null],
  ['failed', 'delivery'],
  ['failed', 'delivery'],
] as const;
let expectedPhones = 0;

interface DocumentedOperation extends Operation {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** For each status, what the answer must look like. */
  answers: Map<number, { type: string; fits: ValidateFunction } | null>;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
const document = JSON.parse(JSON.stringify(openapi('Anteroom'))) as {
  paths: Record<string, Record<string, DocumentOperation>>;
  components: { responses: Record<string, DocumentResponse> };
};
interface DocumentOperation {
  operationId: string;
  parameters?: Operation['parameters'];
  requestBody?: { content: { 'application/json'?: { schema: Schema } } };
  responses: Record<string, DocumentResponse | { $ref: string }>;
}
interface DocumentResponse {
  content?: Record<string, { schema: object }>;
}

const { components } = document;
ajv.addSchema({ components }, 'api');
const compiled = new Map<string, ValidateFunction>();
/** The document's components are read once, and equal schemas are compiled once: with them in each schema it took 20 s. */
function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/components/', '"$ref":"api#/components/');
  const validator = compiled.get(text) ?? ajv.compile(JSON.parse(text) as object);
  compiled.set(text, validator);
  return validator;
}
function readResponse(response: DocumentResponse | { $ref: string }): DocumentResponse {
  if (!('$ref' in response)) return response;
  const shared = components.responses[response.$ref.replace('#/components/responses/', '')];
  if (!shared) throw new Error(`The document has no ${response.$ref}.`);
  return shared;
}

const operations = new Map(
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, op]): [string, DocumentedOperation] => [
      op.operationId,
      {
        method: method.toUpperCase() as 'GET',
        path,
        parameters: op.parameters ?? [],
        body: op.requestBody?.content['application/json']?.schema,
        answers: new Map(
          Object.entries(op.responses).map(([status, response]) => {
            const [type, answer] = Object.entries(readResponse(response).content ?? {})[0] ?? [];
            return [Number(status), type && answer ? { type, fits: validatorOf(answer.schema) } : null];
          }),
        ),
      },
    ]),
  ),
);

test("the OpenAPI document lists exactly the server's routes", () => {
  const mounted = testApp.app.endpoints.map((e) => allEndpoints().find(({ endpoint }) => endpoint === e)?.operationId);
  expect([...operations.keys()].sort()).toEqual(mounted.sort());
  expect([...operations.keys()].filter((name) => !examples[name])).toEqual([]);
});

/** Calls that end or lock their own session. */
const useUpTheSession = new Set(['signOut', 'lockSession', 'signOutEverywhere']);
/** Only a practice whose agreement is not signed yet has unsigned details. */
const beforeSigning = new Set(['readUnsignedDetails', 'correctDetails']);
/** They need a practice that is approved to charge cards. */
const chargeCards = new Set(['requestPayment', 'openCardForm', 'payCopay']);
/** They end or change what the other calls start from. */
const comeLast = new Set([
  'revokeInvitation',
  'unsubscribePush',
  'removePasskey',
  'removeColleague',
  'signOutDevice',
  'saveFormSettings',
  'saveChatSettings',
  'endChat',
  'cancelPlan',
  'deleteSurvey',
  'declineEpisode',
  'setFollowUp',
  ...chargeCards,
]);
/** They need a real code or key, which no generated input contains. */
const needACode = new Set([
  'sendForm', // there is no FHIR server here: forms/send-to-server.test.ts has one
  'readInvitation',
  'acceptInvitation',
  'confirmByCode',
  'confirmPartnerSignUp',
  'joinOffice', // only the invited person finds the invitation
  'declineInvitation',
  'setPin', // a program's token has no device
  'sendConfirmationCode', // answers 409 to a practice that is confirmed
  'readSharedForms',
  'openSharedForm',
  'hearEsign',
  'receiveChargeEvent',
  'hearCard',
  'hearMerchant',
  'verifyCode',
  'verifyVisitorPhone',
  'unlockSession',
  'requestUnlockCode',
  'finishGoogle',
  'addPasskey',
  'verifyPasskey',
  'unlockWithPasskey',
  'confirmAuthenticator',
  'renewRecoveryCodes',
  'cancelWaitingMessage', // only an answer that waits for the end of quiet hours
  'restoreCanceledMessage',
  'savePaymentMethod', // of the card provider's page
  'unlockWithAuthenticator',
]);

const byName = new Map(allEndpoints().map(({ operationId, endpoint }) => [operationId, endpoint]));

let sent = 0;
const inOrder = [...operations].sort(([a], [b]) => Number(comeLast.has(a)) - Number(comeLast.has(b)));
describe.each(inOrder)('%s', (name, op) => {
  test(`${casesPerRoute} generated cases: no crash, and every answer is one the document lists`, async () => {
    await testApp.owner.deleteFrom('rateLimit').execute(); // what the call before used up
    const ways = (await freshIds(name)).flatMap((ids) => examples[name]?.ways(ids) ?? []);
    const cases = casesOf(op, ways, 20260302, casesPerRoute);
    expect(cases.length).toBeGreaterThanOrEqual(casesPerRoute);
    const leaver = await testApp.addStaff({ name: 'Leaver' }, [office]);
    const caller = beforeSigning.has(name) ? await testApp.office({ signed: false }) : office;
    const isVisitor = byName.get(name)?.access === 'visitor';
    const shared = isVisitor ? office.ids.visitorToken : await testApp.signIn(caller.personId);
    const statuses = new Map<number, number>();
    for (let i = 0; i < cases.length; i += atOnce) {
      const answers = cases.slice(i, i + atOnce).map(async (made) => {
        const token = useUpTheSession.has(name) ? await testApp.signIn(leaver) : shared;
        const answer = await sendCase(op, made, token);
        statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
        const wrong = wrongIn(op, answer);
        if (wrong)
          expect.fail(
            `${made.kind} ${describeCase(made)} → ${answer.statusCode} ${answer.body.slice(0, 300)}: ${wrong}`,
          );
      });
      await Promise.all(answers);
    }
    if (!needACode.has(name)) expect(statuses.get(200) ?? 0, `${name} never worked`).toBeGreaterThan(0);
  }, 300_000);
});

test('after all generated cases the server is healthy and holds no connection', async () => {
  expect(sent).toBeGreaterThan(casesPerRoute * 30);
  process.stdout.write(`generated cases: ${sent} on ${operations.size} routes, 0 answered 5xx\n`);
  expect((await testApp.app.inject('/healthz')).statusCode).toBe(200);
  expect(
    (await testApp.call(allEndpoints().find((e) => e.operationId === 'readSession')?.endpoint as never)).status,
  ).toBe(200);
  await expect.poll(() => testApp.services.pool.idleCount).toBe(testApp.services.pool.totalCount);
});

/** What the document does not allow in an answer. Without `expect`, which takes longer than a call where it is used 40,000 times. */
function wrongIn(op: DocumentedOperation, answer: Answer): string | undefined {
  const { statusCode, headers, body } = answer;
  if (statusCode >= 500) return 'it crashed';
  const documented = op.answers.get(statusCode);
  if (documented === undefined) return 'the document has no such status';
  if (!documented) return body === '' ? undefined : 'the document has no body';
  const type = String(headers['content-type']);
  if (!documented.type.includes('json'))
    return type.includes('json') ? `${type} instead of ${documented.type}` : undefined;
  if (!type.includes(documented.type)) return `${type} instead of ${documented.type}`;
  return documented.fits(answer.json()) ? undefined : JSON.stringify(documented.fits.errors);
}
type Answer = Awaited<ReturnType<typeof sendCase>>;

function sendCase(op: DocumentedOperation, made: Case, token: string) {
  const path = op.path.replace(/\{(\w+)\}/g, (_, key: string) => encode(made.params[key] ?? ''));
  const query = Object.entries(made.query)
    .flatMap(([key, value]) => wireOf(key, value))
    .join('&');
  const payload = made.raw?.bytes ?? (made.body === undefined ? undefined : Buffer.from(JSON.stringify(made.body)));
  sent++;
  return testApp.app.inject({
    method: op.method,
    url: `${path}${query && `?${query}`}`,
    remoteAddress: `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(payload && { 'content-type': made.raw?.type ?? 'application/json' }),
      ...(payload &&
        /^\/api\/(sms|\{esign\}\/events)/.test(op.path) && {
          [signatureHeader]: signBody(testApp.env.secrets.webhook, payload, testApp.now()),
        }),
      ...made.headers,
    },
    ...(payload && { payload }),
  });
}

const wireOf = (key: string, value: unknown): string[] => {
  if (Array.isArray(value)) return value.map((inner) => `${encode(key)}=${encode(inner)}`);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).map(([inner, v]) => `${encode(key)}[${encode(inner)}]=${encode(v)}`);
  return [`${encode(key)}=${encode(value)}`];
};

/** Encodes like a careless caller: half a surrogate pair becomes its three bytes, which are not valid UTF-8. */
function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (text === '%') return '%';
  return text.isWellFormed() ? encodeURIComponent(text) : '%ED%A0%80';
}

function describeCase({ params, query, headers, body, raw }: Case): string {
  const text = JSON.stringify({
    params,
    query,
    headers,
    body,
    ...(raw && { raw: [raw.type, raw.bytes.toString().slice(0, 80)] }),
  });
  return text.length > 500 ? `${text.slice(0, 500)}… (${text.length})` : text;
}
