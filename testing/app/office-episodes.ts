import { ambuPatients, ambuSurveys } from '#contract/index.ts';
import { askDueSurveys } from '#server/features/ambulatory/survey-job.ts';
import { activePatient, invitedPatient, loadSurveys } from '#testing/fixtures/episodes.ts';
import { arrivalAnswers, photo } from '#testing/fixtures/forms.ts';
import type { TestApp, TestOffice } from './test-app.ts';

/**
 * A patient with a survey of yesterday that was submitted with a photo, one of today with an answer, notes, and a callback. It begins
 * with the clock of a day before.
 */
export async function fillEpisode(testApp: TestApp, office: TestOffice, mark: string) {
  await loadSurveys(testApp);
  const today = testApp.now();
  testApp.at(new Date(today.getTime() - 86_400_000));
  const as = { as: office };
  const settings = { surveyTime: '00:00', painLimit: 5, watchedWords: [`${mark}-watched`.toLowerCase()], phone: null };
  const { body: plan } = await testApp.call(ambuSurveys.saveAmbuSettings, { body: settings }, as);
  const [first, second] = plan.surveys;
  const ask = (id: string, formType: string, photoToo: boolean) =>
    testApp.call(ambuSurveys.changeSurvey, { params: { id }, body: { formType, photo: photoToo } }, as);
  await ask(first?.id ?? '', 'ambu-survey-day', true);
  // The office's own form of `fillForms`.
  await ask(second?.id ?? '', 'arrival', false);
  const invitePhone = `+1646552${office.npi.slice(-4)}`;
  await invitedPatient(testApp, { office, phoneNumber: invitePhone, patientName: `${mark}-invited-patient` });
  const phoneNumber = `+1646553${office.npi.slice(-4)}`;
  const patientName = `${mark}-episode-first ${mark}-episode-last`;
  const patient = await activePatient(testApp, { office, phoneNumber, patientName, episodeDate: '2026-02-28' });
  await patient.consent('en', `${mark}-patient@office.test`.toLowerCase());
  await askDueSurveys(testApp.services);
  const { body: picture } = await patient.upload(await photo());
  const wound = [{ contentType: 'image/jpeg', url: picture.url }];
  await patient.answer({ notes: [`${mark}-watched ${mark}-answer`], 'wound-photo': wound });
  testApp.at(today);
  await testApp.call(ambuSurveys.saveAmbuSettings, { body: { ...settings, painLimit: 6 } }, as);
  await askDueSurveys(testApp.services);
  const surveyId = await patient.surveyOfTheDay();
  const { body: survey } = await patient.open(surveyId);
  await patient.save(surveyId, {
    definitionId: survey.definitionId,
    answers: { ...arrivalAnswers, reason: [`${mark}-draft`] },
  });
  const { body: saved } = await testApp.call(
    ambuPatients.saveAmbuNotes,
    { params: patient.key, body: { notes: `${mark}-notes` } },
    as,
  );
  const { body: file } = await testApp.call(ambuPatients.readAmbuPatient, { params: patient.key }, as);
  return {
    episodeId: patient.userId,
    episodeCode: patient.userCode,
    invitePhone,
    episodeToken: patient.token,
    surveyId,
    plannedId: first?.id ?? '',
    episodeFileId: picture.fileId,
    callbackId: file.callbacks[0]?.id ?? '',
    surveyKey: saved.s3ObjectKeys[0] ?? '',
  };
}
