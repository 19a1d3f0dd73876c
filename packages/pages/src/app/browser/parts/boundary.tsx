import { Component, type ComponentChildren } from 'preact';
import { Copy } from '../../../browser/copy.tsx';

interface Props {
  /** The place of the visitor: another one is tried anew. */
  place: string;
  /** An answer that a view failed on is asked for anew. */
  onFailure(): void;
  children: ComponentChildren;
}

interface State {
  failure?: { cause: Error; place: string } | undefined;
}

/** Keeps the failure of a view to that view: the others go on. */
export class Boundary extends Component<Props, State> {
  override componentDidCatch(error: Error): void {
    // The console has it, too, as if nothing had kept it.
    reportError(error);
    this.props.onFailure();
    this.setState({ failure: { cause: error, place: this.props.place } });
  }

  override componentDidUpdate(): void {
    const { failure } = this.state;
    if (failure && failure.place !== this.props.place) this.setState({ failure: undefined });
  }

  override render({ place, children }: Props, { failure }: State): ComponentChildren {
    if (failure?.place !== place) return children;
    const told = `${failure.cause.name}: ${failure.cause.message}\n${place}\n${navigator.userAgent}`;
    return (
      <div class="notice problem" role="alert">
        <div>
          <p>
            <strong>This view failed.</strong> The others go on. It is a defect of the page: please report it,
            with these lines.
          </p>
          <pre tabIndex={0}>{told}</pre>
        </div>
        <Copy text={told} label="Copy the lines" />
        <button type="button" onClick={() => this.setState({ failure: undefined })}>
          Show it again
        </button>
      </div>
    );
  }
}
