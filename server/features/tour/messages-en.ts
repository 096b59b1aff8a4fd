import { formsOfNewPractice } from '#contract/forms/settings.ts';
import type { TourMessages } from './messages.ts';

export const en: TourMessages = {
  title: '{product}: patients check in from their car',
  description:
    'Check-in software for medical and dental practices. Patients say “I’m here” on their phone, fill out their forms and wait in the car; you call them in with one click. HIPAA agreement included.',
  signIn: 'Sign in',
  language: 'Language',
  skip: 'Skip to content',
  promise: 'Patients check in from their car, and you call them in with one click.',
  lead: '{product} replaces the waiting room and the clipboard. Patients install nothing: it works in the browser of any phone.',
  setUp: 'Set up my practice',
  seeQueue: 'See the demo queue',
  facts: {
    hipaa: 'HIPAA agreement included',
    from: (price) => `From ${price} a month per provider`,
    trial: (days) => `${days} days free`,
    languages: 'English and Spanish',
  },
  pause: 'Pause the pictures',
  scene:
    'A patient taps “I’m here” on the phone. Their card appears in the queue. The front desk presses “Invite Patient”, and the phone says “Come in now”.',
  visit: 'One visit, start to finish',
  steps: [
    {
      title: 'They arrive',
      text: 'Patients scan your poster or open the link in your text, and tap “I’m here”. No app, no password. A parent checks in the whole family at once.',
    },
    {
      title: 'Their forms arrive first',
      text: 'Insurance card, photo ID, health history and consent are filled out in the car. You read them before the patient is at the desk.',
    },
    {
      title: 'You stay in touch',
      text: 'Text back and forth from the queue. Ready-made texts such as “We’re running ten minutes late” take one click.',
    },
  ],
  queue: {
    title: 'Try the demo queue',
    text: 'You are the patient on the left and the front desk on the right. The names are made up, and nothing is sent.',
    script: 'To try the queue, turn on JavaScript in your browser.',
    demo: 'This is a demo installation. To see every screen, sign in as front@maple.test and take the code from the outbox.',
    phone: 'The patient’s phone',
    desk: 'Your queue',
    again: 'Start over',
    tap: 'Tap “I’m here” on the phone.',
  },
  whom: {
    title: 'Who it’s for',
    practices: [
      {
        title: 'Dental and orthodontics',
        text: 'Health history, insurance card and consent are finished before the chair is free. Add your own forms.',
      },
      {
        title: 'Pediatrics and family medicine',
        text: 'A parent checks in all the children at once. One with a fever doesn’t sit beside one who came for a checkup.',
      },
      {
        title: 'Specialists and surgery centers',
        text: 'Call people in one at a time, and text the person who waits to drive them home.',
      },
      {
        title: 'Groups with several locations',
        text: 'One sign-in for all of them. Each location has a queue, a team and forms of its own.',
      },
    ],
    software:
      'It works beside the practice software you have, and nothing has to be connected first: answers download as PDF or as data (FHIR). When you register, you choose yours:',
  },
  hipaa: {
    title: 'HIPAA from the first minute',
    points: [
      'You sign the Business Associate Agreement online in about three minutes. Patient data opens only after that.',
      'An activity log shows who opened or changed what. Nobody can edit it.',
      'Everyone signs in as themselves, with a one-time code, a passkey or Google. An unattended screen locks after 15 minutes.',
      'Your patients’ data is kept apart from every other practice’s, and is never sold or used for advertising.',
    ],
    agreement: 'Read the agreement',
    privacy: 'Privacy Notice',
    terms: 'Terms of Service',
  },
  price: {
    title: 'What it costs',
    each: 'All prices are per provider.',
    month: 'a month per provider',
    includes: (plan) => `Everything in ${plan}, and:`,
    plans: {
      pilot: [
        'Waiting room management',
        'Patient and insurance details',
        'English and Spanish',
        'COVID-19 screening, if you want it',
      ],
      lite: ['Custom health history forms', 'Partner surveys'],
      prime: ['PMS/EHR integration (AthenaOne, FHIR)'],
    },
    unknown: 'You see the price before you choose a plan.',
    trial: (days) => `Your first ${days} days are free. Cancel anytime.`,
  },
  end: {
    title: 'Your practice is live in three steps',
    steps: ['Office details', 'HIPAA signing', 'Done: your queue opens'],
    demo: 'Would you rather see it with somebody who knows it?',
    requestDemo: 'Request Demo',
    call: 'Call us',
  },
  screens: {
    checkIn: 'Check in',
    name: 'Name',
    mobile: 'Mobile number',
    here: "I'm here",
    checkedIn: 'You’re checked in',
    wait: 'Please wait in your car. We’ll let you know here and by text when it’s time to come in.',
    comeIn: 'Come in now',
    comeInText: 'We are ready for you. Please come to the front desk.',
    onMyWay: 'On my way',
    onTheWay: 'On the way',
    yourWay: 'You are on your way',
    tellUs: 'Please come to the front desk. Tell us here once you are inside.',
    inside: 'You’re inside',
    insideText: 'We told the front desk you’re inside. Thank you!',
    imIn: "I'm in",
    waiting: 'Waiting',
    invited: 'Invited',
    reinvited: 'Reinvited',
    invite: 'Invite Patient',
    reinvite: 'Reinvite',
    toHistory: 'Move to History',
    noOne: "You don't have any patients waiting yet.",
    choose: 'Select a patient to see their forms, messages and next step.',
    forms: 'Forms: {done} of {all}',
    yourForms: 'Your forms',
    done: 'Done!',
    formNames: formsOfNewPractice.map(({ visibleName }) => visibleName.en),
    texts: [
      { from: 'patient', text: 'Nora has a fever, is that OK?' },
      { from: 'desk', text: 'Yes. Please use the side door, room 2.' },
      { from: 'patient', text: 'Thank you, on our way!' },
    ],
    arrived: '{name} has arrived',
  },
};
