import { useLingui } from '@lingui/react/macro';
import { fewestSurveysOfMedian } from '#contract/ambulatory/shapes.ts';
import { classNames } from '#web/panel/ui/class-names.ts';
import css from './pain-chart.module.css';
import { chart, labeledDays, piecesOf, worstPain, xOf, yOf, type DayScore, type Point } from './pain-lines.ts';

/** One day's pain scores of a patient, and the medians of all patients of the practice on the same day after surgery. */
export interface PainDay {
  day: number;
  stationary: number | null;
  movement: number | null;
  medianStationary: number | null;
  medianMovement: number | null;
}

type Score = Exclude<keyof PainDay, 'day'>;

/** Both pain scores by day beside the practice's medians: drawn, and as a table with the same numbers. */
export function PainChart({ days }: { days: readonly PainDay[] }) {
  const { t } = useLingui();
  if (days.length === 0) return <p className={css.empty}>{t`No survey has been answered yet.`}</p>;
  const hasNoMedian = days.some((day) => day.medianStationary === null && day.medianMovement === null);
  return (
    <div className={css.both}>
      <figure className={css.figure}>
        <Drawing days={days} />
        <figcaption className={css.legend}>
          <Key of="stationary">{t`Pain at rest`}</Key>
          <Key of="movement">{t`Pain when moving`}</Key>
          <Key of="medianStationary">{t`Median of all patients, at rest`}</Key>
          <Key of="medianMovement">{t`Median of all patients, moving`}</Key>
          {hasNoMedian && (
            <span>{t`Medians appear once ${fewestSurveysOfMedian} patients have answered on that day.`}</span>
          )}
        </figcaption>
      </figure>
      <PainTable days={days} />
    </div>
  );
}

function Drawing({ days }: { days: readonly PainDay[] }) {
  const { t } = useLingui();
  const numbers = days.map(({ day }) => day);
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  const lineOf = (score: Score): Point[][] =>
    piecesOf(
      days.map((one): DayScore => ({ day: one.day, score: one[score] })),
      first,
      last,
    );
  return (
    <svg
      viewBox={`0 0 ${chart.width} ${chart.height}`}
      className={css.chart}
      role="img"
      aria-label={t`Pain scores by day; the table beside has the numbers`}
    >
      {[0, 2, 4, 6, 8, worstPain].map((score) => (
        <g key={score}>
          <line className={css.grid} x1={chart.left} x2={chart.width - chart.right} y1={yOf(score)} y2={yOf(score)} />
          <text className={css.number} x={chart.left - 6} y={yOf(score) + 4} textAnchor="end">
            {score}
          </text>
        </g>
      ))}
      {labeledDays(numbers).map((day) => (
        <text key={day} className={css.number} x={xOf(day, first, last)} y={chart.height - 6} textAnchor="middle">
          {day}
        </text>
      ))}
      <Line pieces={lineOf('medianStationary')} of="medianStationary" />
      <Line pieces={lineOf('medianMovement')} of="medianMovement" />
      <Line pieces={lineOf('stationary')} of="stationary" />
      <Line pieces={lineOf('movement')} of="movement" />
    </svg>
  );
}

/** A score's line; the patient's own scores have a mark at each day, of a shape of their own. */
function Line({ pieces, of }: { pieces: Point[][]; of: Score }) {
  return (
    <g className={classNames(css.line, css[of])}>
      {pieces.map((piece) => (
        <polyline key={piece[0]?.day} points={piece.map(({ x, y }) => `${x},${y}`).join(' ')} />
      ))}
      {pieces.flatMap((piece) =>
        piece.map(({ day, x, y }) => <Mark key={day} of={of} x={x} y={y} isAlone={piece.length === 1} />),
      )}
    </g>
  );
}

/** A median that no line leads to is an outline around the place, which the patient's own mark does not cover. */
function Mark({ of, x, y, isAlone = false }: { of: Score; x: number; y: number; isAlone?: boolean }) {
  if (of === 'stationary') return <circle className={css.mark} cx={x} cy={y} r={4} />;
  if (of === 'movement') return <rect className={css.mark} x={x - 4} y={y - 4} width={8} height={8} />;
  if (!isAlone) return <circle className={css.mark} cx={x} cy={y} r={1.5} />;
  if (of === 'medianStationary') return <circle className={css.outline} cx={x} cy={y} r={7.5} />;
  return <rect className={css.outline} x={x - 7} y={y - 7} width={14} height={14} />;
}

function Key({ of, children }: { of: Score; children: string }) {
  return (
    <span className={css.key}>
      <svg viewBox="0 0 28 12" width={28} height={12} aria-hidden="true" className={classNames(css.line, css[of])}>
        <polyline points="0,6 28,6" />
        <Mark of={of} x={14} y={6} />
      </svg>
      {children}
    </span>
  );
}

function PainTable({ days }: { days: readonly PainDay[] }) {
  const { t } = useLingui();
  const shown = (score: number | null) => score ?? '–';
  return (
    <div className={css.scroll} role="region" aria-label={t`Pain scores by day`} tabIndex={0}>
      <table className={css.table}>
        <thead>
          <tr>
            <th scope="col">{t`Day`}</th>
            <th scope="col">{t`At rest`}</th>
            <th scope="col">{t`Median, at rest`}</th>
            <th scope="col">{t`Moving`}</th>
            <th scope="col">{t`Median, moving`}</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ day, stationary, movement, medianStationary, medianMovement }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              <td>{shown(stationary)}</td>
              <td className={css.median}>{shown(medianStationary)}</td>
              <td>{shown(movement)}</td>
              <td className={css.median}>{shown(medianMovement)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
