import { arriveExpected, type Arrival, type PatientVisit } from '#contract/patient.ts';
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
  const arrive = async ({ phone: _, ...body }: Arrival, _key: string, signal: AbortSignal) => {
    const arrived = await call(arriveExpected, { params: { token }, body }, { signal }).catch((error: unknown) => {
      // An earlier try got through, or the front desk was faster: show the visit as it is.
      if (error instanceof CallError && error.body.current) return error.body.current as PatientVisit;
      throw error;
    });
    onVisit?.(arrived);
  };
  if (!front) return <Loading failed={failed} />;
  const hasArrived = visit.statusCode !== 'EXPECTED';
  return <CheckIn office={front.office} withPhone={false} hasArrived={hasArrived} send={arrive} />;
}
