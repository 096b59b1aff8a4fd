import { check, placesOf, type Checked } from '#contract/forms/check.ts';
import { checkExpressions, needsExpressions } from '#contract/forms/expressions.ts';
import { formOf } from '#contract/forms/form.ts';

/** Everything a person should know of a questionnaire before it is used. What works calculations out is fetched only where there are some. */
export async function judge(text: string): Promise<Checked> {
  const checked = check(text);
  const { questionnaire, isUsable } = checked;
  if (!questionnaire || !isUsable || !needsExpressions(questionnaire)) return checked;
  const { loadExpressions } = await import('#contract/forms/fhirpath.ts');
  const { byLinkId } = formOf(questionnaire);
  const places = placesOf(questionnaire);
  const failed = checkExpressions(questionnaire, await loadExpressions()).map((finding) => {
    const item = byLinkId.get(finding.linkId ?? '');
    return { ...finding, place: (item && places.get(item.source)) ?? '' };
  });
  return { ...checked, findings: [...checked.findings, ...failed], isUsable: failed.length === 0 };
}
