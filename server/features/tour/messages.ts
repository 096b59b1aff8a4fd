import type { Plan } from '#contract/subscription.ts';

/** All texts of the tour. */
export interface TourMessages {
  title: string;
  description: string;
  signIn: string;
  language: string;
  skip: string;
  promise: string;
  lead: string;
  setUp: string;
  seeQueue: string;
  /** The header's links to parts of the page. */
  parts: { label: string; price: string; software: string };
  facts: { hipaa: string; from: (price: string) => string; trial: (days: number) => string; languages: string };
  pause: string;
  scene: string;
  visit: string;
  steps: readonly { title: string; text: string }[];
  queue: {
    title: string;
    text: string;
    script: string;
    openDemo: string;
    phone: string;
    desk: string;
    again: string;
    tap: string;
  };
  whom: {
    title: string;
    practices: readonly { title: string; text: string }[];
    softwareTitle: string;
    software: readonly string[];
    choose: string;
  };
  hipaa: { title: string; points: readonly string[]; agreement: string; privacy: string; baa: string; terms: string };
  /** The words of the pictures that no screen has to the letter. */
  pictures: {
    activity: readonly { who: string; did: string; at: string }[];
    log: string;
    pdf: string;
    lines: readonly string[];
  };
  price: {
    title: string;
    each: string;
    month: string;
    includes: (plan: string) => string;
    plans: Record<Plan, readonly string[]>;
    unknown: string;
    start: string;
    /** What happens after the free days, and what is free. */
    later: (days: number) => string;
    /** What a practice with three providers pays. */
    three: (price: string) => string;
    trial: (days: number) => string;
  };
  end: { title: string; steps: readonly string[]; demo: string; requestDemo: string; call: string };
  screens: ScreenMessages;
}

/** The texts of its pictures: the panel's and the phone's own, to the letter (screen-words.test.ts). */
export interface ScreenMessages {
  checkIn: string;
  name: string;
  mobile: string;
  here: string;
  checkedIn: string;
  wait: string;
  comeIn: string;
  comeInText: string;
  onMyWay: string;
  onTheWay: string;
  yourWay: string;
  tellUs: string;
  inside: string;
  insideText: string;
  imIn: string;
  waiting: string;
  invited: string;
  reinvited: string;
  invite: string;
  reinvite: string;
  toHistory: string;
  noOne: string;
  choose: string;
  forms: string;
  yourForms: string;
  done: string;
  formNames: readonly string[];
  texts: readonly { from: 'desk' | 'patient'; text: string }[];
  arrived: string;
}
