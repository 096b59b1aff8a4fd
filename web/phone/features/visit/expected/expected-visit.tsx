import type { Arrival } from '#contract/patient/check-in.ts';
import { arriveExpected, asksWhoComes, nameVisit, type PatientVisit } from '#contract/patient/visit.ts';
import { call, CallError } from '#web/kit/call.ts';
import { CheckIn, useOfficeFront, type Front } from '#web/phone/features/check-in/index.ts';
import { Loading } from '#web/phone/ui/loading.tsx';

interface ExpectedVisitProps {
  token: string;
  visit: PatientVisit;
  /** The practice's front that the server wrote into the page. */
  first: Front | null;
  onVisit: ((visit: PatientVisit) => void) | undefined;
}

/** A patient whom the practice expects today checks in, or names who comes after checking in by a text. */
export function ExpectedVisit({ token, visit, first, onVisit }: ExpectedVisitProps) {
  const { front, failed } = useOfficeFront(visit.npi, first);
  const hasArrived = visit.statusCode !== 'EXPECTED';
  const send = async ({ phone: _, ...body }: Arrival, _key: string, signal: AbortSignal) => {
    const params = { token };
    const name = () => call(nameVisit, { params, body }, { signal });
    const arrive = () => call(arriveExpected, { params, body }, { signal });
    const saved = await (hasArrived ? name() : arrive()).catch((error: unknown) => {
      if (!(error instanceof CallError && error.status === 409 && error.body.current)) throw error;
      // An earlier try got through, or the front desk was faster: show the visit as it is. One that arrived meanwhile still needs the names.
      const current = error.body.current as PatientVisit;
      return !hasArrived && asksWhoComes(current) ? name() : current;
    });
    onVisit?.(saved);
  };
  if (!front) return <Loading failed={failed} />;
  return <CheckIn office={front.office} withPhone={false} hasArrived={hasArrived} send={send} />;
}
