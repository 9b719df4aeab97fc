import mlflow from 'mlflow';

/** The package says in its types that its class is a member of what it exports; what it exports is the class. */
const exported: unknown = mlflow;

export const MLflow = exported as typeof mlflow.default;
