/**
 * Published instruments as their scoring rules describe them: how many questions, what each answer counts, how the score is made, and
 * where its bands begin. Questions have numbers instead of words, because the words belong to their authors.
 */
export interface Instrument {
  name: string;
  /** What each answer counts, question by question, in the order in which the answers are printed. */
  items: readonly (readonly number[])[];
  /** The score, in FHIRPath; `%points` has what the answers count. Without it: their sum. */
  score?: string;
  /** The lowest scores of the bands above the first. */
  bands?: readonly number[];
  /** Which answer is chosen in each question (from 0; null is none), the published score, and its band from 0. */
  cases: readonly { chosen: readonly (number | null)[]; score: number; band?: number }[];
}

const times = (count: number, ...points: number[]) => Array.from({ length: count }, () => points);
/** The same choice in each of so many questions. */
const each = (count: number, choice: number | null) => Array.from({ length: count }, () => choice);
/** Questions of which some are scored in reverse; numbers from 1, as in their publications. */
const withReversed = (count: number, points: number[], reversed: number[]) =>
  times(count, ...points).map((own, i) => (reversed.includes(i + 1) ? own.toReversed() : own));
const yes = [0, 1];

export const instruments: readonly Instrument[] = [
  {
    name: 'AUDIT-C',
    items: times(3, 0, 1, 2, 3, 4),
    bands: [4],
    cases: [
      { chosen: each(3, 0), score: 0, band: 0 },
      { chosen: [2, 1, 1], score: 4, band: 1 },
      { chosen: each(3, 4), score: 12, band: 1 },
    ],
  },
  {
    name: 'AUDIT',
    items: [...times(8, 0, 1, 2, 3, 4), ...times(2, 0, 2, 4)],
    bands: [8, 16, 20],
    cases: [
      { chosen: [2, 1, 1, 0, 0, 0, 1, 0, 1, 0], score: 7, band: 0 },
      { chosen: [3, 2, 2, 1, 0, 0, 1, 0, 1, 1], score: 13, band: 1 },
      { chosen: [...each(8, 4), 2, 2], score: 40, band: 3 },
    ],
  },
  {
    name: 'EPDS',
    items: withReversed(10, [0, 1, 2, 3], [3, 5, 6, 7, 8, 9, 10]),
    bands: [10, 13],
    cases: [
      { chosen: each(10, 0), score: 21, band: 2 },
      { chosen: [0, 0, 3, 0, 3, 3, 3, 3, 3, 3], score: 0, band: 0 },
      { chosen: [1, 1, 2, 1, 2, 1, 2, 2, 2, 3], score: 10, band: 1 },
    ],
  },
  {
    name: 'ISI',
    items: times(7, 0, 1, 2, 3, 4),
    bands: [8, 15, 22],
    cases: [
      { chosen: each(7, 1), score: 7, band: 0 },
      { chosen: [2, 2, 2, 2, 2, 2, 3], score: 15, band: 2 },
      { chosen: each(7, 4), score: 28, band: 3 },
    ],
  },
  {
    name: 'WOMAC',
    items: times(24, 0, 1, 2, 3, 4),
    cases: [
      { chosen: each(24, 0), score: 0 },
      { chosen: [...each(5, 2), ...each(2, 3), ...each(17, 1)], score: 33 },
      { chosen: each(24, 4), score: 96 },
    ],
  },
  {
    name: 'WOMAC pain of 20',
    items: times(24, 0, 1, 2, 3, 4),
    score: "%resource.item.where(linkId in ('q1' | 'q2' | 'q3' | 'q4' | 'q5')).answer.value.ordinal().sum()",
    cases: [{ chosen: [4, 3, 2, 1, 0, ...each(19, 4)], score: 10 }],
  },
  {
    name: 'ODI in percent of the sections answered',
    items: times(10, 0, 1, 2, 3, 4, 5),
    score: '(%points.sum() / (%points.count() * 5) * 100).round(0)',
    bands: [21, 41, 61, 81],
    cases: [
      { chosen: [1, 2, 1, 2, 2, 1, 2, 1, 2, 2], score: 32, band: 1 },
      { chosen: [1, 2, 1, 2, 2, 1, 2, null, 2, 2], score: 33, band: 1 },
      { chosen: each(10, 5), score: 100, band: 4 },
    ],
  },
  {
    name: 'NDI',
    items: times(10, 0, 1, 2, 3, 4, 5),
    bands: [5, 15, 25, 35],
    cases: [
      { chosen: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], score: 4, band: 0 },
      { chosen: [3, 2, 3, 2, 3, 2, 3, 2, 3, 2], score: 25, band: 3 },
    ],
  },
  {
    name: 'PHQ-9 for teens',
    items: times(9, 0, 1, 2, 3),
    bands: [5, 10, 15, 20],
    cases: [
      { chosen: [1, 1, 1, 1, 0, 0, 0, 0, 0], score: 4, band: 0 },
      { chosen: [2, 1, 2, 1, 1, 1, 1, 0, 1], score: 10, band: 2 },
      { chosen: each(9, 3), score: 27, band: 4 },
    ],
  },
  {
    name: 'PHQ-9',
    items: times(9, 0, 1, 2, 3),
    bands: [5, 10, 15, 20],
    cases: [{ chosen: [3, 2, 1, 3, 2, 1, 2, 0, 1], score: 15, band: 3 }],
  },
  { name: 'PHQ-2', items: times(2, 0, 1, 2, 3), bands: [3], cases: [{ chosen: [1, 2], score: 3, band: 1 }] },
  {
    name: 'PHQ-15',
    items: times(15, 0, 1, 2),
    bands: [5, 10, 15],
    cases: [{ chosen: [...each(10, 1), ...each(5, 0)], score: 10, band: 2 }],
  },
  {
    name: 'GAD-7',
    items: times(7, 0, 1, 2, 3),
    bands: [5, 10, 15],
    cases: [
      { chosen: [2, 2, 1, 2, 1, 1, 1], score: 10, band: 2 },
      { chosen: each(7, 3), score: 21, band: 3 },
    ],
  },
  { name: 'GAD-2', items: times(2, 0, 1, 2, 3), bands: [3], cases: [{ chosen: [3, 3], score: 6, band: 1 }] },
  {
    name: 'DAST-10, of which the third counts no',
    items: withReversed(10, [...yes], [3]),
    bands: [1, 3, 6, 9],
    cases: [
      { chosen: each(10, 0), score: 1, band: 1 },
      { chosen: [1, 0, 1, 1, 0, 1, 0, 0, 0, 0], score: 3, band: 2 },
      { chosen: [1, 1, 0, 1, 1, 1, 1, 1, 1, 1], score: 10, band: 4 },
    ],
  },
  { name: 'CAGE', items: times(4, ...yes), bands: [2], cases: [{ chosen: [1, 0, 1, 0], score: 2, band: 1 }] },
  {
    name: 'Barthel index',
    items: [
      [0, 5, 10],
      [0, 5],
      [0, 5],
      [0, 5, 10],
      [0, 5, 10],
      [0, 5, 10],
      [0, 5, 10],
      [0, 5, 10, 15],
      [0, 5, 10, 15],
      [0, 5, 10],
    ],
    bands: [21, 61, 91],
    cases: [
      { chosen: each(10, 0), score: 0, band: 0 },
      { chosen: [1, 0, 1, 1, 2, 2, 1, 2, 2, 1], score: 65, band: 2 },
      { chosen: [2, 1, 1, 2, 2, 2, 2, 3, 3, 2], score: 100, band: 3 },
    ],
  },
  {
    name: 'Katz index',
    items: times(6, ...yes),
    cases: [{ chosen: [1, 1, 0, 1, 1, 1], score: 5 }],
  },
  {
    name: 'Lawton IADL',
    items: [
      [1, 1, 1, 0],
      [1, 0, 0, 0],
      [1, 0, 0, 0],
      [1, 1, 1, 1, 0],
      [1, 1, 0],
      [1, 1, 1, 0, 0],
      [1, 0, 0],
      [1, 1, 0],
    ],
    cases: [{ chosen: [0, 1, 0, 4, 1, 3, 0, 2], score: 4 }],
  },
  {
    name: 'K6',
    items: times(6, 4, 3, 2, 1, 0),
    bands: [5, 13],
    cases: [{ chosen: [0, 1, 2, 2, 3, 3], score: 13, band: 2 }],
  },
  {
    name: 'K10',
    items: times(10, 1, 2, 3, 4, 5),
    bands: [20, 25, 30],
    cases: [{ chosen: [1, 1, 2, 1, 1, 2, 1, 1, 1, 1], score: 22, band: 1 }],
  },
  {
    name: 'PSS-10, of which 4, 5, 7 and 8 are reversed',
    items: withReversed(10, [0, 1, 2, 3, 4], [4, 5, 7, 8]),
    bands: [14, 27],
    cases: [
      { chosen: each(10, 0), score: 16, band: 1 },
      { chosen: [3, 3, 3, 1, 1, 3, 1, 1, 3, 3], score: 30, band: 2 },
    ],
  },
  {
    name: 'WHO-5 in percent',
    items: times(5, 5, 4, 3, 2, 1, 0),
    score: '%points.sum() * 4',
    bands: [29, 51],
    cases: [{ chosen: [2, 2, 3, 1, 3], score: 56, band: 2 }],
  },
  {
    name: 'RSES, of which 2, 5, 6, 8 and 9 are reversed',
    items: withReversed(10, [3, 2, 1, 0], [2, 5, 6, 8, 9]),
    bands: [15, 26],
    cases: [{ chosen: [0, 3, 0, 1, 2, 3, 1, 2, 3, 0], score: 26, band: 2 }],
  },
  {
    name: 'GDS-15, of which 1, 5, 7, 11 and 13 count no',
    items: withReversed(15, [...yes], [1, 5, 7, 11, 13]),
    bands: [5],
    cases: [
      { chosen: each(15, 0), score: 5, band: 1 },
      { chosen: [1, 0, 0, 1, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0], score: 2, band: 0 },
    ],
  },
  {
    name: 'Epworth sleepiness scale',
    items: times(8, 0, 1, 2, 3),
    bands: [11, 13, 16],
    cases: [{ chosen: [2, 2, 1, 1, 3, 0, 2, 1], score: 12, band: 1 }],
  },
  {
    name: 'STOP-BANG',
    items: times(8, ...yes),
    bands: [3, 5],
    cases: [{ chosen: [1, 0, 1, 0, 1, 1, 0, 1], score: 5, band: 2 }],
  },
  {
    name: 'IPSS',
    items: times(7, 0, 1, 2, 3, 4, 5),
    bands: [8, 20],
    cases: [{ chosen: [3, 2, 3, 2, 4, 3, 3], score: 20, band: 2 }],
  },
  {
    name: 'COPD assessment test',
    items: times(8, 0, 1, 2, 3, 4, 5),
    bands: [10, 21, 31],
    cases: [{ chosen: [2, 3, 1, 4, 2, 1, 3, 3], score: 19, band: 1 }],
  },
  {
    name: 'Asthma control test',
    items: times(5, 1, 2, 3, 4, 5),
    bands: [16, 20],
    cases: [{ chosen: [3, 3, 4, 3, 2], score: 20, band: 2 }],
  },
  {
    name: 'Short FES-I',
    items: times(7, 1, 2, 3, 4),
    bands: [9, 14],
    cases: [{ chosen: [0, 1, 1, 0, 1, 1, 0], score: 11, band: 1 }],
  },
  {
    name: 'PC-PTSD-5',
    items: times(5, ...yes),
    bands: [4],
    cases: [{ chosen: [1, 1, 1, 0, 1], score: 4, band: 1 }],
  },
  {
    name: 'PCL-5',
    items: times(20, 0, 1, 2, 3, 4),
    bands: [31],
    cases: [{ chosen: [...each(10, 2), ...each(10, 1)], score: 30, band: 0 }],
  },
  { name: 'SCOFF', items: times(5, ...yes), bands: [2], cases: [{ chosen: [0, 1, 0, 1, 1], score: 3, band: 1 }] },
  {
    name: 'Fagerström test',
    items: [
      [3, 2, 1, 0],
      [1, 0],
      [1, 0],
      [0, 1, 2, 3],
      [1, 0],
      [1, 0],
    ],
    bands: [3, 5, 6, 8],
    cases: [
      { chosen: [0, 0, 0, 3, 0, 0], score: 10, band: 4 },
      { chosen: [1, 1, 0, 1, 1, 0], score: 5, band: 2 },
    ],
  },
  {
    name: 'DASS-21 depression, doubled',
    items: times(21, 0, 1, 2, 3),
    score:
      "%resource.item.where(linkId in ('q3' | 'q5' | 'q10' | 'q13' | 'q16' | 'q17' | 'q21')).answer.value.ordinal().sum() * 2",
    bands: [10, 14, 21, 28],
    cases: [
      {
        chosen: each(21, 3).map((choice, i) => ([3, 5, 10, 13, 16, 17, 21].includes(i + 1) ? 1 : choice)),
        score: 14,
        band: 2,
      },
    ],
  },
  {
    name: 'Braden scale',
    items: [...times(5, 1, 2, 3, 4), [1, 2, 3]],
    bands: [10, 13, 15, 19],
    cases: [
      { chosen: [3, 3, 3, 3, 3, 2], score: 23, band: 4 },
      { chosen: [2, 1, 1, 1, 2, 1], score: 14, band: 2 },
    ],
  },
  {
    name: 'Morse fall scale',
    items: [
      [0, 25],
      [0, 15],
      [0, 15, 30],
      [0, 20],
      [0, 10, 20],
      [0, 15],
    ],
    bands: [25, 45],
    cases: [{ chosen: [1, 0, 1, 0, 1, 0], score: 50, band: 2 }],
  },
  {
    name: 'Apgar score',
    items: times(5, 0, 1, 2),
    bands: [4, 7],
    cases: [{ chosen: [2, 2, 1, 2, 1], score: 8, band: 2 }],
  },
  {
    name: 'CHA2DS2-VASc',
    items: [
      [0, 1],
      [0, 1],
      [0, 1, 2],
      [0, 1],
      [0, 2],
      [0, 1],
      [0, 1],
    ],
    bands: [1, 2],
    cases: [{ chosen: [1, 1, 2, 0, 1, 0, 1], score: 7, band: 2 }],
  },
  {
    name: 'Roland-Morris questionnaire',
    items: times(24, ...yes),
    cases: [{ chosen: [...each(9, 1), ...each(15, 0)], score: 9 }],
  },
  {
    name: 'QuickDASH',
    items: times(11, 1, 2, 3, 4, 5),
    score: 'iif(%points.count() >= 10, (%points.avg() - 1) * 25, {})',
    cases: [
      { chosen: each(11, 0), score: 0 },
      { chosen: [...each(10, 2), null], score: 50 },
      { chosen: each(11, 4), score: 100 },
    ],
  },
  {
    name: 'HIT-6',
    items: times(6, 6, 8, 10, 11, 13),
    bands: [50, 56, 60],
    cases: [{ chosen: [2, 2, 3, 1, 2, 3], score: 60, band: 3 }],
  },
  {
    name: 'Zarit burden interview, short',
    items: times(12, 0, 1, 2, 3, 4),
    bands: [11, 21],
    cases: [{ chosen: [2, 2, 1, 1, 2, 2, 1, 2, 1, 2, 2, 2], score: 20, band: 1 }],
  },
];
