import type { NewOffice, NewStaff } from '#server/features/office/index.ts';

/** The forms Maple and Harbor ask for at check-in, in their order. */
const forms = [
  ['insurance-card', 'Insurance Card', 'Tarjeta del seguro'],
  ['photo-id', 'Photo ID', 'Identificación'],
  ['health-history', 'Health History', 'Historia clínica'],
  ['covid-screening', 'COVID Screening', 'Evaluación de COVID'],
  ['consent', 'Consent', 'Consentimiento'],
].map(([type, en, es]) => ({ enabled: true, type, day: null, visibleName: { en, es } }));

/** The demo offices of the specification. Their NPIs are not issued, and `.test` addresses and 555-01xx numbers reach nobody. */
export const demoOffices: { office: Omit<NewOffice, 'agreementSignedAt'>; staff: NewStaff[] }[] = [
  {
    office: {
      npi: '1234567893',
      name: 'Maple Street Pediatrics',
      addressLine1: '48 Maple Street',
      city: 'Brooklyn',
      state: 'NY',
      zip: '11201',
      timeZone: 'America/New_York',
      email: 'front@maple.test',
      emr: 'AthenaOne',
      agesTreated: ['Newborns', 'Children'],
      phone: '+12125550160',
      textNumber: '+12125550150',
      paymentsQuestionCompleted: true,
      settings: { chatEnabled: true, features: { globalFormsEnabled: { forms } } },
      messageSettings: { expectedReplyMinutes: 15 },
      chatSettings: {
        origins: ['https://www.maple.test'],
        greeting: {
          en: 'Hi! Ask us anything about visits, forms or opening hours.',
          es: '¡Hola! Pregúntenos lo que quiera sobre visitas, formularios u horarios.',
        },
      },
      queueSettings: {
        greeting: {
          en: 'Welcome! Stay in your car, we will call you in as soon as your room is ready.',
          es: '¡Bienvenidos! Quédense en el auto; les avisaremos en cuanto su sala esté lista.',
        },
      },
    },
    staff: [
      { name: 'Dana Whitlock', email: 'front@maple.test', phone: '+12125550101' },
      { name: 'Luis Herrera', email: 'luis@maple.test', language: 'es' },
    ],
  },
  {
    office: {
      npi: '2000000010',
      name: 'Harbor Family Medicine',
      addressLine1: '7 Harbor Way',
      city: 'Portland',
      state: 'ME',
      zip: '04101',
      timeZone: 'America/New_York',
      email: 'front@harbor.test',
      emr: 'N/A',
      phone: '+12075550161',
      textNumber: '+12125550151',
      settings: { disableCheckin: true, useOldFormsScreen: true, features: { globalFormsEnabled: { forms } } },
    },
    staff: [{ name: 'Ruth Okafor', email: 'front@harbor.test', phone: '+12125550102' }],
  },
  {
    office: {
      npi: '2000000028',
      name: 'Cedar Dental Group',
      addressLine1: '1200 Cedar Avenue',
      city: 'Denver',
      state: 'CO',
      zip: '80203',
      timeZone: 'America/Denver',
      email: 'front@cedar.test',
      emr: 'N/A',
      phone: '+17205550162',
      textNumber: '+12125550152',
      settings: { adminPanelType: 'sms' },
    },
    staff: [{ name: 'Mina Castro', email: 'front@cedar.test', phone: '+12125550103' }],
  },
  {
    office: {
      npi: '2000000036',
      name: 'Summit Ambulatory Surgery',
      addressLine1: '350 Summit Boulevard',
      city: 'Phoenix',
      state: 'AZ',
      zip: '85004',
      timeZone: 'America/Phoenix',
      email: 'front@summit.test',
      emr: 'N/A',
      phone: '+12125550163',
      textNumber: '+12125550153',
      settings: { providers: [{ name: 'ambu', enabled: true, adminNavBar: true }] },
    },
    staff: [
      { name: 'Ines Moreau', email: 'front@summit.test', phone: '+12125550104' },
      { name: 'Theo Lindqvist', email: 'theo@summit.test' },
      { name: 'Amara Diallo', email: 'amara@summit.test', language: 'es' },
    ],
  },
];
