import type { Move } from '#contract/queue.ts';
import type { Person } from '#server/features/queue/index.ts';

/** One patient's morning: when they arrived (minutes ago) and what happened since (minutes after arrival). */
export interface VisitStory {
  minutesAgo: number;
  who: [first: string, last: string, born: string];
  language?: 'en' | 'es';
  household?: [first: string, last: string, born: string][];
  then?: { after: number; move: Move | 'stillWaiting' | 'message'; note?: string }[];
}

/** Fifteen visits in all states, with names and languages typical of a US practice, some households, and a late one. */
export const mapleMorning: VisitStory[] = [
  {
    minutesAgo: 172,
    who: ['Walter', 'Brzezinski', '1951-03-19'],
    then: [
      { after: 6, move: 'invite' },
      { after: 8, move: 'onMyWay' },
      { after: 14, move: 'imIn' },
    ],
  },
  {
    minutesAgo: 165,
    who: ['Rosa', 'Delgado-Fuentes', '1989-07-02'],
    language: 'es',
    household: [
      ['Mateo', 'Delgado', '2019-11-23'],
      ['Lucía', 'Delgado', '2022-01-08'],
    ],
    then: [
      { after: 9, move: 'invite' },
      { after: 10, move: 'onMyWay' },
      { after: 15, move: 'imIn' },
    ],
  },
  {
    minutesAgo: 151,
    who: ['Terrence', 'Boyd', '1978-12-30'],
    then: [
      { after: 12, move: 'invite' },
      { after: 40, move: 'finish', note: 'no-show' },
    ],
  },
  { minutesAgo: 140, who: ['Hannah', 'Lindqvist', '1994-05-11'], then: [{ after: 22, move: 'cancel' }] },
  {
    minutesAgo: 126,
    who: ['Anh', 'Nguyen', '1985-09-14'],
    household: [['Minh', 'Nguyen', '2020-04-17']],
    then: [
      { after: 7, move: 'invite' },
      { after: 9, move: 'onMyWay' },
      { after: 35, move: 'finish', note: 'seen' },
    ],
  },
  {
    minutesAgo: 64,
    who: ['Grace', 'Castellanos-Whitfield', '1990-04-02'],
    then: [
      { after: 20, move: 'invite' },
      { after: 36, move: 'reinvite' },
    ],
  },
  {
    minutesAgo: 58,
    who: ['Hugo', 'Castellanos', '1987-10-26'],
    then: [
      { after: 33, move: 'invite' },
      { after: 38, move: 'onMyWay' },
    ],
  },
  {
    minutesAgo: 41,
    who: ['Maria', 'Lopez', '1992-02-05'],
    language: 'es',
    household: [['Sofía', 'Lopez', '2018-06-30']],
    then: [
      { after: 28, move: 'invite' },
      { after: 31, move: 'onMyWay' },
      { after: 32, move: 'message', note: 'La puerta de la derecha, por favor.' },
    ],
  },
  { minutesAgo: 33, who: ['Ruth', 'Weiss', '1948-08-21'], then: [{ after: 24, move: 'invite' }] },
  {
    minutesAgo: 27,
    who: ['Daniel', 'Moreau', '1983-01-17'],
    household: [['Chloé', 'Moreau', '2021-03-03']],
    then: [{ after: 22, move: 'stillWaiting' }],
  },
  { minutesAgo: 17, who: ['Priya', 'Raghunathan', '1996-11-09'], then: [{ after: 12, move: 'invite' }] },
  { minutesAgo: 14, who: ['Jamal', 'Washington', '2001-06-14'] },
  { minutesAgo: 9, who: ['Carmen', 'Ibáñez', '1975-04-28'], language: 'es' },
  { minutesAgo: 6, who: ['Liam', "O'Connor", '1999-12-12'], household: [['Nora', "O'Connor", '2023-02-14']] },
  { minutesAgo: 2, who: ['Ken', 'Watanabe-Silva', '1969-07-07'] },
];

/** An office without a queue in its panel: patients check in and fill their forms. */
export const harborMorning: VisitStory[] = [
  { minutesAgo: 158, who: ['Evelyn', 'Marsh', '1984-01-30'], household: [['Oscar', 'Marsh', '2017-05-12']] },
  { minutesAgo: 147, who: ['Desmond', 'Achebe', '1966-09-03'] },
  { minutesAgo: 131, who: ['Ingrid', 'Sørensen', '1973-02-21'] },
  { minutesAgo: 118, who: ['Beatriz', 'Quintana', '1991-07-16'], language: 'es' },
  { minutesAgo: 104, who: ['Callum', 'Fraser', '1959-11-05'] },
  { minutesAgo: 83, who: ['Mei-Ling', 'Chow', '1987-04-19'], household: [['Ethan', 'Chow', '2020-10-08']] },
  { minutesAgo: 71, who: ['Rafael', 'Benítez', '1979-06-02'], language: 'es' },
  { minutesAgo: 55, who: ['Josephine', 'Hartwell', '1945-12-27'] },
  { minutesAgo: 38, who: ['Samir', 'Haddad', '1998-08-14'] },
  {
    minutesAgo: 24,
    who: ['Patience', 'Owusu', '1982-03-25'],
    household: [
      ['Kofi', 'Owusu', '2015-09-01'],
      ['Ama', 'Owusu', '2018-12-11'],
    ],
  },
  { minutesAgo: 12, who: ['Gordon', 'Pike', '1954-05-07'] },
  { minutesAgo: 4, who: ['Annika', 'Lund', '2000-10-20'] },
];

/** A shorter morning for the other offices that take check-ins. */
export const quietMorning: VisitStory[] = [
  {
    minutesAgo: 95,
    who: ['Olivia', 'Brandt', '1988-03-08'],
    then: [
      { after: 10, move: 'invite' },
      { after: 12, move: 'onMyWay' },
      { after: 18, move: 'imIn' },
    ],
  },
  { minutesAgo: 52, who: ['Marcus', 'Bell', '1971-10-01'], then: [{ after: 31, move: 'invite' }] },
  { minutesAgo: 21, who: ['Elena', 'Popova', '1993-05-25'] },
  { minutesAgo: 5, who: ['Tomás', 'Rivera', '1980-12-18'], language: 'es' },
];

const first = [
  'Ava',
  'Noah',
  'Mia',
  'Ethan',
  'Zoe',
  'Omar',
  'Lena',
  'Ravi',
  'Nina',
  'Caleb',
  'Yuki',
  'Diego',
  'Fatima',
  'Owen',
  'Leila',
  'Victor',
  'Amara',
  'Jonas',
  'Paloma',
  'Theo',
];
const last = [
  'Adams',
  'Bautista',
  'Chen',
  'Dubois',
  'Eriksen',
  'Farah',
  'Goldberg',
  'Hernández',
  'Ivanov',
  'Johnson',
  'Kaur',
  'Larsen',
  'Mbeki',
  'Novak',
  'Ortiz',
  'Patel',
  'Quinn',
  'Rossi',
  'Sato',
  'Tran',
];

/** `count` more patients for `--big-queue`: the same names in turn, all waiting or moved by a fixed rule. */
export function bigMorning(count: number): VisitStory[] {
  return Array.from({ length: count }, (_, i) => {
    const person: VisitStory['who'] = [
      first[i % 20] as string,
      last[Math.floor(i / 20) % 20] as string,
      `${1950 + (i % 60)}-${String((i % 12) + 1).padStart(2, '0')}-${String((i % 28) + 1).padStart(2, '0')}`,
    ];
    const then: VisitStory['then'] =
      i % 5 === 0
        ? [{ after: 2, move: 'invite' }]
        : i % 7 === 0
          ? [
              { after: 2, move: 'invite' },
              { after: 3, move: 'onMyWay' },
            ]
          : [];
    return { minutesAgo: 8 + (i % 90), who: person, language: i % 4 === 0 ? 'es' : 'en', then };
  });
}

export const toPerson = ([firstName, lastName, birthDate]: [string, string, string]): Person & {
  birthDate: string;
} => ({ firstName, lastName, birthDate });
