import mlflow from 'mlflow';

/** According to its types, the package exports an object with the class as a member; in fact it exports the class. */
const exported: unknown = mlflow;

export const MLflow = exported as typeof mlflow.default;
