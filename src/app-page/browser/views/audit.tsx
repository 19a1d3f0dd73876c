import { useContext, useState } from 'preact/hooks';
import { AuditDocument } from '../documents/documents.generated.ts';
import { AsRequest } from '../parts/as-request.tsx';
import { Moment } from '../parts/moment.tsx';
import { Answered, Empty } from '../parts/states.tsx';
import { SessionContext, useAnswer } from '../use-answer.ts';

/** Who did what, newest first. */
export function Audit() {
  const { account } = useContext(SessionContext);
  const [trail, setTrail] = useState<(string | null)[]>([null]);
  const variables = { account, cursor: trail.at(-1)! };
  const asked = useAnswer(AuditDocument, variables);
  return (
    <>
      <header class="view">
        <h1>Audit</h1>
        <p>Who changed what in this account, newest first.</p>
      </header>
      <Answered asked={asked}>
        {({ account }) => {
          const events = account?.auditLog?.events ?? [];
          const next = account?.auditLog?.nextCursor;
          if (events.length === 0) return <Empty>Nothing has happened yet.</Empty>;
          return (
            <>
              <section class="panel wide scroll" tabIndex={0} aria-label="Events">
                <table>
                  <thead>
                    <tr>
                      <th scope="col" aria-sort="descending">
                        When (UTC)
                      </th>
                      <th scope="col">Event</th>
                      <th scope="col">What happened</th>
                      <th scope="col">By</th>
                      <th scope="col">From</th>
                    </tr>
                  </thead>
                  <tbody>
                    {events.map(({ eventId, timestamp, event, message, loggedByEmail, requestIp }) => (
                      <tr key={eventId}>
                        <td>
                          <Moment at={timestamp} />
                        </td>
                        <td>
                          <code>{event}</code>
                        </td>
                        <td class="wide-cell">
                          <bdi class="wrap">{message}</bdi>
                        </td>
                        <td>
                          <bdi>{loggedByEmail}</bdi>
                        </td>
                        <td>{requestIp || 'background job'}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </section>
              <p class="pages">
                {trail.length > 1 && (
                  <button type="button" onClick={() => setTrail(trail.slice(0, -1))}>
                    Newer
                  </button>
                )}
                {next && (
                  <button type="button" onClick={() => setTrail([...trail, next])}>
                    Older
                  </button>
                )}
              </p>
              <AsRequest document={AuditDocument} variables={variables} />
            </>
          );
        }}
      </Answered>
    </>
  );
}
