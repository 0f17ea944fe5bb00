import { Accordion, Group, List, Stack, Text, Title } from '@mantine/core';
import { numberOf } from '../../texts/texts';
import { ServiceText } from '../../ui/service-text';
import type { Reasons, Response, Session } from './shown-session';
import { useSessionsTexts } from './texts';
import { ScoreParts } from '../../ui/score-parts';

type Rule = NonNullable<Reasons['rule']>;

/** The score of each response, with its reasons. */
export function ResponseScores({ session, reasons }: { session: Session; reasons?: readonly (Reasons | undefined)[] }) {
  const t = useSessionsTexts();
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {t('scores')}
      </Title>
      <Stack gap="md">
        {session.items.map(({ reference = '', time, user_flagged: isFlagged, response_ids: ids = [] }) => (
          <div key={reference}>
            <Group gap="md" mb={4}>
              <Title order={3} size="h5" className="wrap">
                {reference}
              </Title>
              {time !== undefined && time > 0 && (
                <Text size="sm" c="dimmed">
                  {t('seconds', numberOf(time))}
                </Text>
              )}
              {isFlagged && <Text size="sm">{t('flagged')}</Text>}
            </Group>
            <Accordion multiple variant="contained" order={4}>
              {session.responses.map((response, at) =>
                ids.includes(response.response_id ?? '') ? (
                  <Scored key={response.response_id} response={response} reasons={reasons?.[at]} />
                ) : null,
              )}
            </Accordion>
          </div>
        ))}
      </Stack>
    </section>
  );
}

function Scored({ response, reasons }: { response: Response; reasons: Reasons | undefined }) {
  const t = useSessionsTexts();
  const { response_id: id = '', question_reference: question = '', score = null, max_score: max = 0 } = response;
  const by =
    reasons?.scored_by === 'person' ? t('person') : reasons?.scored_by === 'engine' ? t('engine') : t('nobody');
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <Group gap="md">
          <Text fw={600} className="wrap">
            {question}
          </Text>
          <Text>{t('of', score === null ? '–' : numberOf(score), numberOf(max))}</Text>
          <Text size="sm" c="dimmed">
            {response.response ? `${t('scored_by')}: ${by}` : t('no_response')}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="xs">
          {response.manual_score !== undefined && (
            <Text size="sm">
              {t('manual_part', numberOf(response.manual_score), numberOf(response.max_manual_score ?? max))}
            </Text>
          )}
          {reasons?.no_rule && (
            <Text size="sm">
              <ServiceText>{reasons.no_rule}</ServiceText>
            </Text>
          )}
          {reasons?.rule && <RuleOf question={question} rule={reasons.rule} />}
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

function RuleOf({ question, rule }: { question: string; rule: Rule }) {
  const { message, scoring_type: type, answer, parts = [], steps = [] } = rule;
  const t = useSessionsTexts();
  return (
    <>
      {type && <Text size="sm">{t('rule', type)}</Text>}
      {message && (
        <Text size="sm">
          <ServiceText>{message}</ServiceText>
        </Text>
      )}
      {typeof answer === 'number' && (
        <Text size="sm">{answer === 0 ? t('answer_first') : t('answer_other', answer)}</Text>
      )}
      {parts.length > 0 && <ScoreParts question={question} parts={parts} t={t} />}
      {steps.length > 0 && (
        <List size="sm">
          {steps.map(({ step, from, to }, index) => (
            <List.Item key={index}>{t('step', t(step), numberOf(from), numberOf(to))}</List.Item>
          ))}
        </List>
      )}
    </>
  );
}
