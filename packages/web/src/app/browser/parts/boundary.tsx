import { Component, type ComponentChildren } from 'preact';
import { Copy } from '../../../browser/copy.tsx';

interface Props {
  /** The address of the view. After an error, the view is rendered again when the address changes. */
  place: string;
  /** Called after an error of the view, to drop its cached result. */
  onFailure(): void;
  children: ComponentChildren;
}

interface State {
  failure?: { cause: Error; place: string } | undefined;
}

/** An error boundary: shows an error in place of the view that threw it. */
export class Boundary extends Component<Props, State> {
  override componentDidCatch(error: Error): void {
    // Logs the error to the console, like an uncaught error.
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
    const details = `${failure.cause.name}: ${failure.cause.message}\n${place}\n${navigator.userAgent}`;
    return (
      <div class="notice problem" role="alert">
        <div>
          <p>
            <strong>This view failed.</strong> The other views still work. This is a bug in the page: please
            report it with these lines.
          </p>
          <pre tabIndex={0}>{details}</pre>
        </div>
        <Copy text={details} label="Copy the lines" />
        <button type="button" onClick={() => this.setState({ failure: undefined })}>
          Show it again
        </button>
      </div>
    );
  }
}
