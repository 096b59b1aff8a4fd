/** One message of a demo thread: how many minutes ago, and who wrote it. */
export interface DemoMessage {
  minutesAgo: number;
  from: 'patient' | 'practice';
  body: string;
  /** The phone could not be reached. */
  failed?: true;
}

/** A patient who texts with the practice and is not there today. */
export interface DemoThread {
  who: [first: string, last: string, born: string];
  language?: 'en' | 'es';
  messages: DemoMessage[];
}

/** The threads of a demo office, by its kind of practice. Each has an answered, an unanswered and a failed one, and one with STOP. */
export interface OfficeThreads {
  /** The area code of the practice's neighborhood. */
  area: string;
  threads: DemoThread[];
}

const patient = (minutesAgo: number, body: string): DemoMessage => ({ minutesAgo, from: 'patient', body });
const practice = (minutesAgo: number, body: string): DemoMessage => ({ minutesAgo, from: 'practice', body });

const maple: DemoThread[] = [
  {
    who: ['Naomi', 'Feldman', '1993-04-18'],
    messages: [
      patient(74, 'Hi! Our daughter was born on Friday. When should we bring her in for her first visit?'),
      practice(69, 'Congratulations! We like to see newborns after 3 to 5 days. Is Wednesday at 9:15 good for you?'),
      patient(65, 'Perfect. Do we need to bring anything?'),
      practice(62, 'Just her hospital papers and your insurance card. See you on Wednesday!'),
    ],
  },
  {
    who: ['Gabriela', 'Montes', '1990-10-03'],
    language: 'es',
    messages: [
      patient(14, 'Buenos días, ¿me pueden dar una copia de las vacunas de Mateo? Es para la escuela.'),
      patient(13, 'Puedo pasar hoy a recogerla.'),
    ],
  },
  {
    who: ['Darnell', 'Price', '1986-02-27'],
    messages: [
      patient(58, 'Is the camp form for Ethan ready?'),
      { ...practice(49, 'Yes, it is signed and at the front desk. You can pick it up until 5.'), failed: true },
    ],
  },
  {
    who: ['Irina', 'Volkov', '1982-06-11'],
    messages: [
      practice(131, "It is time for Zoe's yearly checkup. Reply here and we find a time."),
      patient(122, 'STOP'),
    ],
  },
];

const harbor: DemoThread[] = [
  {
    who: ['Martha', 'Ellison', '1979-08-09'],
    messages: [
      patient(50, 'Hi, do you have anything open for a flu shot this week?'),
      practice(46, 'Yes: Thursday at 3:30 or Friday at 9:15. Which one works for you?'),
      patient(41, 'Thursday, please. Can my son come along for his?'),
      practice(38, 'Of course. See you both on Thursday at 3:30.'),
    ],
  },
  {
    who: ['Álvaro', 'Medina', '1968-12-01'],
    language: 'es',
    messages: [patient(12, 'Buenos días, ¿a qué hora cierran hoy? Necesito recoger un documento.')],
  },
  {
    who: ['Russell', 'Tate', '1957-03-30'],
    messages: [
      patient(83, 'My refill is not at the pharmacy yet.'),
      { ...practice(77, 'We sent it again just now. It should be ready in an hour.'), failed: true },
    ],
  },
  {
    who: ['Joan', 'Pelletier', '1964-05-22'],
    messages: [
      practice(168, 'Your yearly physical is due this month. Reply here and we find a time.'),
      patient(151, 'STOP'),
    ],
  },
];

const cedar: DemoThread[] = [
  {
    who: ['Kyle', 'Andersen', '1995-09-17'],
    messages: [
      patient(66, 'I chipped a tooth at lunch. It doesn’t hurt, but can somebody look at it?'),
      practice(61, 'Sorry to hear that! We can see you tomorrow at 8:15. Does that work?'),
      patient(57, 'Yes, thank you so much.'),
      practice(55, 'See you then. Please chew on the other side until tomorrow.'),
    ],
  },
  {
    who: ['Rosario', 'Chávez', '1984-01-25'],
    language: 'es',
    messages: [
      patient(44, '¿Cuánto dura la limpieza? A las 3 recojo a mi hija.'),
      practice(39, 'Unos 45 minutos. Si viene a la 1:30, le alcanza el tiempo.'),
    ],
  },
  {
    who: ['Beth', 'Lindgren', '1972-11-14'],
    messages: [patient(9, 'My new crown still feels a bit high. Should I come back?')],
  },
  {
    who: ['Omar', 'Nasser', '1999-07-06'],
    messages: [
      patient(103, 'Can we move my cleaning to next week?'),
      { ...practice(97, 'Sure: Tuesday at 8:30 or Thursday at 2. Which do you prefer?'), failed: true },
    ],
  },
  {
    who: ['Pamela', 'Griggs', '1961-04-08'],
    messages: [
      practice(142, 'It has been six months since your last cleaning. Reply here and we find a time.'),
      patient(136, 'STOP'),
    ],
  },
];

const summit: DemoThread[] = [
  {
    who: ['Harold', 'Begay', '1955-02-13'],
    messages: [
      patient(88, 'Until when can I eat before the surgery?'),
      practice(82, 'Nothing to eat after midnight. Clear liquids are fine until two hours before you arrive.'),
      patient(78, 'Got it, thanks. My wife drives me home.'),
      practice(76, 'Good. Somebody should stay with you that night, too.'),
    ],
  },
  {
    who: ['Lourdes', 'Figueroa', '1970-06-29'],
    language: 'es',
    messages: [patient(17, 'Buenos días, ¿puede estar mi esposo conmigo en la sala de recuperación?')],
  },
  {
    who: ['Wendy', 'Castle', '1980-10-10'],
    messages: [
      patient(71, 'Which entrance do we use on the day of the surgery?'),
      { ...practice(64, 'The north entrance, on Second Street. You can park right at the door.'), failed: true },
    ],
  },
  {
    who: ['Curtis', 'Yazzie', '1966-08-31'],
    messages: [
      practice(118, 'How are you on your first day at home? Reply here if you need us.'),
      patient(110, 'STOP'),
    ],
  },
];

/** By NPI. */
export const demoThreads: Record<string, OfficeThreads> = {
  '1234567893': { area: '646', threads: maple },
  '2000000010': { area: '207', threads: harbor },
  '2000000028': { area: '720', threads: cedar },
  '2000000036': { area: '602', threads: summit },
};
