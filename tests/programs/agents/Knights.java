// A UCI agent that moves its knights out and back. Knights.class is this file: javac --release 8 -g:none Knights.java
public class Knights {
    public static void main(String[] args) throws Exception {
        java.io.BufferedReader in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
        int plies = 0;
        for (String line = in.readLine(); line != null && !line.equals("quit"); line = in.readLine()) {
            if (line.equals("uci")) {
                System.out.println("id name knights in Java\nuciok");
            } else if (line.equals("isready")) {
                System.out.println("readyok");
            } else if (line.startsWith("position")) {
                int at = line.indexOf(" moves ");
                plies = at < 0 ? 0 : line.substring(at + 7).trim().split(" ").length;
            } else if (line.startsWith("go")) {
                String[] pair = plies % 2 == 0 ? new String[] {"g1f3", "f3g1"} : new String[] {"g8f6", "f6g8"};
                System.out.println("bestmove " + pair[plies / 2 % 2]);
            }
        }
    }
}
